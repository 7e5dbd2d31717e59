import { decodeRecords } from "kcodec/inline";
import { read } from "./read.mjs";

console.log(read(decodeRecords));
