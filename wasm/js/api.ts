/** Everything that every entry of the package exports. */

export { BatchInfo } from "./batch.js";
export { codecs, compress, crc32c, decompress, murmur2 } from "./bytes.js";
export { committedBatches, decodeRecords, Decoder, RecordsView, type Scan, scanBatches, validate } from "./decode.js";
export { encodeRecords } from "./encode.js";
export { type ErrorCode, errorKinds, type FaultDetails, KcodecError } from "./errors.js";
export { init, initSync } from "./loader.js";
export { RecordRef } from "./record.js";
export { Records, recordsFrom } from "./records.js";
export type * from "./types.js";
export { version } from "./version.js";
