/** For Node, Deno and Bun: reads the module's file at the first call. */

import { readFileSync } from "node:fs";
import { offerModule } from "./loader.js";

offerModule(() => new WebAssembly.Module(readFileSync(new URL("./kcodec.wasm", import.meta.url))));

export * from "./api.js";
