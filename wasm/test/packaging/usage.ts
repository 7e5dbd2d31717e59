// Every name of the package, used as its declarations say.

import * as kcodec from "kcodec";
import type { Codec, DecodeOptions, EncodeOptions, KafkaRecord, Limits, NewRecord, Tables, Tail } from "kcodec";
import { decodeRecords as slimDecode, init } from "kcodec/slim";
import { decodeRecords as inlineDecode } from "kcodec/inline";

const limits: Limits = { maxBatchBytes: 1 << 20, maxRecords: 1000 };
const options: DecodeOptions = { limits, verifyCrc: true, keepGoing: true, batchesOnly: false, skipControl: true, checkUtf8: true };
const codec: Codec = "lz4";
const encode: EncodeOptions = { codec, level: 9, baseOffset: 5n, producerId: 1, transactional: true, logAppendTime: 5 };
const written: NewRecord[] = [{ key: "k", value: new Uint8Array(3), headers: [["h", null]], timestamp: 5n, offset: 7 }];

const bytes: Uint8Array = kcodec.encodeRecords(written, encode);
const records: kcodec.Records = kcodec.decodeRecords(bytes, options);
for (const record of records) {
  const key: Uint8Array | null = record.key;
  const offset: number | bigint = record.offset + Number(record.offsetBig) + record.timestamp;
  const kept: KafkaRecord = record.toObject();
  const [name, value]: [string, Uint8Array | null] = record.headers()[0]!;
  void [key, offset, kept, name, value, record.index];
}
const batch: kcodec.BatchInfo = records.batches[0]!;
const numbers: [bigint, number, Codec | null, string | null] = [batch.nextOffset, batch.count, batch.codec, batch.controlType];
const tail: Tail = records.tail;
if (tail.kind === "partial") {
  const needed: number | null = tail.needed;
  void needed;
} else if (tail.kind === "corrupt") {
  const error: kcodec.KcodecError = tail.error;
  void error;
}
const tables: Tables = records.tables;
const posted: kcodec.Records = kcodec.recordsFrom(tables);
const aborted = kcodec.committedBatches(posted, [{ firstOffset: 5, producerId: 7n }]);
const scan: kcodec.Scan = kcodec.scanBatches(bytes);

{
  using decoder = new kcodec.Decoder(options);
  const length: number = decoder.borrow(bytes, (view: kcodec.RecordsView) => (view.live ? view.copy().length : 0));
  void [length, decoder.decode(bytes)];
}

try {
  kcodec.validate(bytes, "produce", { limits });
} catch (error) {
  if (error instanceof kcodec.KcodecError) {
    const code: kcodec.ErrorCode = error.code;
    const isMismatch: boolean = error.code === "CRC_MISMATCH";
    const place: [number | undefined, number | undefined, bigint | undefined] = [error.batch, error.position, error.nextOffset];
    void [code, isMismatch, place];
  }
}

const packed: Uint8Array = kcodec.compress("zstd", bytes, 3);
const unpacked: Uint8Array = kcodec.decompress("zstd", packed, 1 << 20);
const hashes: [number, number] = [kcodec.crc32c(bytes, 0), kcodec.murmur2("key")];
const names: readonly Codec[] = kcodec.codecs();
const version: string = kcodec.version;

async function load(): Promise<void> {
  await init();
  await init("https://example.org/kcodec.wasm");
  await init(new Uint8Array(8));
  await init(Promise.resolve(new ArrayBuffer(8)));
}

// @ts-expect-error: no codec
kcodec.compress("brotli", bytes);
// @ts-expect-error: not bytes
kcodec.decodeRecords("text");
// @ts-expect-error: read only
records.length = 5;
// @ts-expect-error: no kind of error
const wrong: kcodec.ErrorCode = "NO_SUCH_KIND";

void [numbers, aborted, scan, unpacked, hashes, names, version, load, slimDecode, inlineDecode, wrong];
