import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { decodeRecords, initSync } from "kcodec/slim";
import { read } from "./read.mjs";

initSync(readFileSync(createRequire(import.meta.url).resolve("kcodec/kcodec.wasm")));
console.log(read(decodeRecords));
