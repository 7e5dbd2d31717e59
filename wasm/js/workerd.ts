/** For workers that may not compile: imports the module compiled. */

import module from "./kcodec.wasm";
import { offerModule } from "./loader.js";

offerModule(() => module);

export * from "./api.js";
