/** For browsers and bundlers: `init()` fetches the module from beside this file. */

import { offerPlace } from "./loader.js";

// Written out in full, since this is what bundlers look for.
offerPlace(() => new URL("./kcodec.wasm", import.meta.url));

export * from "./api.js";
