/** With the module inside as text: for a program in one file, and where nothing can be fetched. */

import { offerModule } from "./loader.js";
import { base64 } from "./module.js";

offerModule(() => new WebAssembly.Module(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))));

export * from "./api.js";
