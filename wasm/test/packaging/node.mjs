import { decodeRecords } from "kcodec";
import { read } from "./read.mjs";

console.log(read(decodeRecords));
