// What can be named only where the DOM's types are.

import { init, initSync } from "kcodec/slim";

await init(new URL("https://example.org/kcodec.wasm"));
await init(fetch("https://example.org/kcodec.wasm"));
initSync(new WebAssembly.Module(new Uint8Array(8)));
