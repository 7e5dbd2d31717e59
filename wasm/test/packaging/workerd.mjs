import { decodeRecords } from "kcodec";
import { read } from "./read.mjs";

export default { fetch: () => new Response(read(decodeRecords)) };
