import { decodeRecords, init } from "kcodec";
import { read } from "./read.mjs";

await init();
read((bytes) => {
  const records = decodeRecords(bytes);
  postMessage(records.tables);
  return records;
});
