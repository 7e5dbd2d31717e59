// What the functions and classes promise beyond the right records.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import * as kcodec from "../dist/node.js";
import { dataOf, toHex } from "./shared/check.mjs";

const { decodeRecords, Decoder, encodeRecords, KcodecError } = kcodec;
const vectors = new URL("../../vectors/", import.meta.url);
const segment = (name) => readFileSync(new URL(`segments/${name}-0.log`, vectors));
const code = (expected) => (error) => error instanceof KcodecError && error.code === expected;
const text = (bytes) => bytes && Buffer.from(bytes).toString();

test("values are views of the caller's input, or of memory of their own", () => {
  const plain = segment("java_none");
  const records = decodeRecords(plain);
  assert.equal(records.value(0).buffer, plain.buffer);
  const packed = segment("java_lz4");
  const unpacked = decodeRecords(packed);
  assert.notEqual(unpacked.value(0).buffer, packed.buffer);
  const before = text(unpacked.value(5));
  for (let i = 0; i < 5; i++) decodeRecords(segment("java_zstd"));
  assert.equal(text(unpacked.value(5)), before);
});

test("null is not empty, and headers keep order and duplicates", () => {
  const headers = [["a", null], ["a", ""], ["b", new Uint8Array([0xff])], ["a", "é"]];
  const written = encodeRecords([{ key: null, value: "" }, { key: "", value: null }, { headers }]);
  const records = decodeRecords(written);
  assert.deepEqual([records.key(0), records.value(0)?.length], [null, 0]);
  assert.deepEqual([records.key(1)?.length, records.value(1)], [0, null]);
  const read = records.headers(2).map(([key, value]) => [key, value && toHex(value)]);
  assert.deepEqual(read, [["a", null], ["a", ""], ["b", "ff"], ["a", "c3a9"]]);
});

test("64-bit numbers are exact: a bigint, a safe number, or an error", () => {
  const offset = 2n ** 53n + 1n;
  const records = decodeRecords(encodeRecords([{ offset, timestamp: -(2n ** 60n) }], { baseOffset: offset }));
  assert.equal(records.offsetBig(0), offset);
  assert.equal(records.timestampBig(0), -(2n ** 60n));
  assert.throws(() => records.offset(0), code("UNSAFE_INTEGER"));
  assert.throws(() => records.at(0), code("UNSAFE_INTEGER"));
  assert.equal(records.nextOffset, offset + 1n);
  for (const number of [0, -1, 1, 2 ** 32 - 1, 2 ** 32, -(2 ** 32), -(2 ** 32) - 1, 2 ** 53 - 1, -(2 ** 53)]) {
    const [timestamp] = [number === -(2 ** 53) ? BigInt(number) : number];
    const read = decodeRecords(encodeRecords([{ timestamp }]));
    assert.equal(read.timestamp(0), number);
    assert.equal(read.timestampBig(0), BigInt(number));
  }
});

test("an index out of range is refused", () => {
  const records = decodeRecords(segment("java_none"));
  for (const i of [-1, records.length, 0.5, Number.NaN, 2 ** 32]) {
    for (const read of ["key", "value", "offset", "timestamp", "at", "headers", "batchOf", "valueLength"]) {
      assert.throws(() => records[read](i), code("INVALID_ARGUMENT"), `${read}(${i})`);
    }
  }
  assert.throws(() => records.headerKey(0, records.headerCount(0)), code("INVALID_ARGUMENT"));
});

test("iterating leaves control records out, with one cursor", () => {
  const records = decodeRecords(readFileSync(new URL("segments/java_txn-15.log", vectors)));
  const seen = [...records].map((record) => record);
  assert.equal(new Set(seen).size, 1);
  const offsets = Array.from(records, (record) => record.offsetBig);
  const control = records.batches.filter((batch) => batch.control);
  assert.ok(control.length > 0);
  assert.equal(offsets.length, records.length - control.length);
  const kept = Array.from(records, (record) => record.toObject());
  assert.deepEqual(kept.map(({ offset }) => offset), offsets);
  for (const record of records) assert.equal(text(record.value), text(records.value(record.index)));
});

test("a batch is found by its records", () => {
  const records = decodeRecords(segment("mixed_magic"));
  for (let i = records.length - 1; i >= 0; i--) {
    const batch = records.batchOf(i);
    assert.ok(batch.firstRecord <= i && i < batch.firstRecord + batch.count);
  }
});

test("read_committed", () => {
  const records = decodeRecords(readFileSync(new URL("segments/java_txn-15.log", vectors)));
  const all = kcodec.committedBatches(records, []);
  assert.deepEqual(all, records.batches.filter((batch) => !batch.control));
  const committed = kcodec.committedBatches(records, [{ firstOffset: 17, producerId: 1n }]);
  const skipped = all.filter((batch) => !committed.includes(batch));
  assert.ok(skipped.length > 0);
  assert.ok(skipped.every((batch) => batch.producerId === 1n && batch.baseOffset >= 17n));
});

test("a result is posted to another thread, and read there without the module", () => {
  for (const name of ["java_gzip", "mixed_magic", "preallocated"]) {
    const records = decodeRecords(Uint8Array.from(segment(name)));
    const { port1, port2 } = new MessageChannel();
    const { tables } = records;
    port1.postMessage(tables, [tables.records, ...tables.segments.map((bytes) => bytes.buffer)]);
    const posted = kcodec.recordsFrom(receiveMessageOnPort(port2).message);
    port1.close();
    const again = decodeRecords(segment(name));
    assert.deepEqual(dataOf(posted, toHex), dataOf(again, toHex));
    assert.deepEqual([posted.tail, posted.consumed], [again.tail, again.consumed]);
  }
});

test("a borrowed view is the same records, and expires", () => {
  const decoder = new Decoder();
  let leaked;
  let batch;
  const copy = decoder.borrow(segment("java_snappy"), (view) => {
    leaked = view;
    batch = view.batches[0];
    assert.ok(view.live);
    assert.deepEqual(dataOf(view, toHex), dataOf(decodeRecords(segment("java_snappy")), toHex));
    // A call from inside meets another instance: the view still holds.
    decoder.decode(segment("java_zstd"));
    decoder.decode(new Uint8Array(8 << 20));
    assert.equal(text(view.value(0)), text(decodeRecords(segment("java_snappy")).value(0)));
    return view.copy();
  });
  assert.ok(!leaked.live);
  const readers = [
    () => leaked.length, () => leaked.key(0), () => leaked.value(0), () => leaked.offset(0), () => leaked.tail,
    () => leaked.batches[0].baseOffset, () => batch.raw, () => leaked.tables, () => leaked.consumed, () => [...leaked],
  ];
  for (const read of readers) assert.throws(read, code("VIEW_EXPIRED"), read.toString());
  assert.deepEqual(dataOf(copy, toHex), dataOf(decodeRecords(segment("java_snappy")), toHex));
  assert.throws(() => decoder.borrow(segment("java_none"), async () => {}), code("INVALID_ARGUMENT"));
  const own = new Error("mine");
  assert.throws(() => decoder.borrow(segment("java_none"), () => { throw own; }), own);
  assert.throws(() => decoder.borrow(new Uint8Array(20).fill(0xff), () => {}), code("BATCH_LENGTH"));
  assert.equal(decoder.decode(segment("java_none")).length, 120);
  decoder[Symbol.dispose]();
  assert.equal(decoder.decode(segment("java_none")).length, 120);
});

test("what was decoded is encoded again, to the same bytes where nothing is compressed", () => {
  let same = 0;
  for (const name of readdirSync(new URL("segments", vectors)).filter((name) => name.endsWith(".log"))) {
    const records = decodeRecords(readFileSync(new URL(`segments/${name}`, vectors)));
    for (const batch of records.batches) {
      if (batch.magic !== 2 || batch.count === 0) continue;
      const rows = Array.from({ length: batch.count }, (_, i) => batch.firstRecord + i);
      const written = encodeRecords(rows.map((i) => newRecord(records, i)), optionsOf(batch));
      // With the log's append time, the producer's timestamps in the records are not read.
      if (batch.codec === "none" && batch.timestampType === "create") {
        assert.equal(toHex(written), toHex(batch.raw), `${name} at ${batch.position}`);
        same++;
      }
      const read = decodeRecords(written);
      assert.equal(read.batches[0].codec, batch.codec);
      assert.deepEqual(read.length, batch.count);
      for (const i of rows) {
        assert.equal(toHex(read.value(i - batch.firstRecord)), toHex(records.value(i)));
        assert.equal(read.timestampBig(i - batch.firstRecord), records.timestampBig(i));
      }
    }
  }
  assert.ok(same > 1000, `${same} batches`);
});

function newRecord(records, i) {
  const headers = Array.from({ length: records.headerCount(i) }, (_, h) => [
    records.headerKeyBytes(i, h),
    records.headerValue(i, h),
  ]);
  const [offset, timestamp] = [records.offsetBig(i), records.timestampBig(i)];
  return { offset, timestamp, key: records.key(i), value: records.value(i), headers };
}

function optionsOf(batch) {
  const { codec, baseOffset, lastOffsetDelta, leaderEpoch, producerId, producerEpoch, baseSequence } = batch;
  const { transactional, control, deleteHorizon } = batch;
  const given = { codec, baseOffset, lastOffsetDelta, leaderEpoch, producerId, producerEpoch, baseSequence };
  return {
    ...given,
    transactional,
    control,
    ...(batch.timestampType === "append" && { logAppendTime: batch.maxTimestamp }),
    ...(deleteHorizon !== null && { deleteHorizon }),
  };
}

test("old message sets are written too", () => {
  for (const magic of [0, 1]) {
    for (const codec of ["none", "gzip", "snappy", "lz4"]) {
      const written = encodeRecords([{ key: "k", value: "v", timestamp: 5 }, { value: "w", timestamp: 7 }], { magic, codec });
      const records = decodeRecords(written);
      assert.deepEqual(Array.from(records, ({ value }) => text(value)), ["v", "w"]);
      assert.equal(records.batches[0].magic, magic);
    }
    assert.throws(() => encodeRecords([{}], { magic, codec: "zstd" }), code("CODEC_FOR_MAGIC"));
  }
  assert.throws(() => encodeRecords([{ headers: [["h", ""]] }], { magic: 1 }), code("NOT_REPRESENTABLE"));
});

test("records come from any iterable, and texts are UTF-8", () => {
  function* some() {
    yield { value: "é€😀\ud800", headers: new Map([["ключ", "значение"]]) };
    yield { key: "k".repeat(1000), value: new Uint8Array(100_000) };
  }
  const records = decodeRecords(encodeRecords(some(), { codec: "lz4" }));
  assert.equal(text(records.value(0)), "é€😀\ufffd");
  assert.deepEqual(records.headers(0).map(([key, value]) => [key, text(value)]), [["ключ", "значение"]]);
  assert.deepEqual([records.keyLength(1), records.valueLength(1)], [1000, 100_000]);
  assert.equal(decodeRecords(encodeRecords([])).batches[0].declaredCount, 0);
});

test("what cannot be written is refused", () => {
  for (const bad of [{ value: 5 }, { key: {} }, { timestamp: 0.5 }, { offset: 2n ** 64n }, { headers: [[null, ""]] }]) {
    assert.throws(() => encodeRecords([bad]), KcodecError, JSON.stringify(bad, (_, v) => String(v)));
  }
  for (const bad of [{ codec: "brotli" }, { magic: 3 }, { leaderEpoch: 2 ** 31 }, { level: 0.5 }, { codec: "gzip", level: 99 }]) {
    assert.throws(() => encodeRecords([{}], bad), KcodecError, JSON.stringify(bad));
  }
  const large = new Uint8Array(2 ** 20);
  const tooMany = { headers: Array.from({ length: 2 ** 11 }, () => [large, null]) };
  assert.throws(() => encodeRecords([tooMany]), code("LIMIT_INPUT"));
  assert.throws(() => encodeRecords([{}, { offset: 2n ** 40n }]), (error) => error.record === 1);
});

test("what is no record, no header and no bytes is refused rather than written as nothing", () => {
  const records = [undefined, null, 5, { key: "a", value: "b" }, "ab", [null], ["ab"]];
  for (const bad of records) assert.throws(() => encodeRecords(bad), code("INVALID_ARGUMENT"), String(bad));
  for (const headers of [{ trace: "1" }, null, 5, "ab", [{ key: "k", value: "v" }], ["ab"], [undefined]]) {
    assert.throws(() => encodeRecords([{ headers }]), code("INVALID_ARGUMENT"), JSON.stringify(headers));
  }
  const three = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  const others = [new Uint16Array(three.buffer), new DataView(three.buffer), new Int8Array(three.buffer), three.buffer, [1, 2]];
  for (const value of others) {
    for (const record of [{ value }, { key: value }, { headers: [[value, ""]] }, { headers: [["", value]] }]) {
      assert.throws(() => encodeRecords([record]), code("INVALID_ARGUMENT"), Object.prototype.toString.call(value));
    }
  }
});

test("numbers of 64 bits are integers, and nothing that becomes one", () => {
  for (const bad of [null, "5", true, 0.5, 2n ** 63n, Number.MAX_VALUE]) {
    for (const name of ["baseOffset", "producerId", "logAppendTime", "deleteHorizon"]) {
      assert.throws(() => encodeRecords([{}], { [name]: bad }), code("INVALID_ARGUMENT"), `${name} ${bad}`);
    }
    const records = decodeRecords(new Uint8Array(0));
    for (const aborted of [{ firstOffset: bad, producerId: 1 }, { firstOffset: 1, producerId: bad }]) {
      assert.throws(() => kcodec.committedBatches(records, [aborted]), code("INVALID_ARGUMENT"), String(bad));
    }
  }
});

test("an option that does not exist is told", () => {
  const bytes = encodeRecords([{ value: "a" }]);
  const calls = {
    verifyCRC: () => decodeRecords(bytes, { verifyCRC: false }),
    keepgoing: () => new Decoder({ keepgoing: true }),
    maxBytes: () => decodeRecords(bytes, { limits: { maxBytes: 1 } }),
    maxBatchByte: () => kcodec.validate(bytes, "full", { limits: { maxBatchByte: 1 } }),
    verifyCrc: () => kcodec.validate(bytes, "full", { verifyCrc: false }),
    compression: () => encodeRecords([], { compression: "gzip" }),
  };
  for (const [name, call] of Object.entries(calls)) {
    assert.throws(call, (error) => code("INVALID_ARGUMENT")(error) && error.message.includes(name), name);
  }
  for (const bad of [null, "none", 5]) {
    assert.throws(() => decodeRecords(bytes, bad), code("INVALID_ARGUMENT"));
    assert.throws(() => encodeRecords([], bad), code("INVALID_ARGUMENT"));
    assert.throws(() => decodeRecords(bytes, { limits: bad }), code("INVALID_ARGUMENT"));
  }
  assert.equal(decodeRecords(bytes, { keepGoing: undefined, limits: { maxRecords: undefined } }).length, 1);
});

test("a limit is a whole number, so that a small one is not taken for none", () => {
  const bytes = encodeRecords([{ value: "a".repeat(1000) }], { codec: "gzip" });
  for (const maxBatchBytes of [0.5, -1, Number.NaN, "5", -Infinity]) {
    assert.throws(() => decodeRecords(bytes, { limits: { maxBatchBytes } }), code("INVALID_ARGUMENT"), String(maxBatchBytes));
  }
  assert.throws(() => decodeRecords(bytes, { limits: { maxBatchBytes: 1 } }), code("LIMIT_BATCH_BYTES"));
  for (const maxBatchBytes of [0, Infinity]) assert.equal(decodeRecords(bytes, { limits: { maxBatchBytes } }).length, 1);
});

test("codecs by themselves", () => {
  const input = Uint8Array.from({ length: 100_000 }, (_, i) => (i * i) >> 9);
  for (const codec of kcodec.codecs()) {
    const packed = kcodec.compress(codec, input);
    assert.deepEqual(kcodec.decompress(codec, packed, input.length), input);
    assert.throws(() => kcodec.decompress(codec, packed, input.length - 1), code("LIMIT_BATCH_BYTES"), codec);
  }
  assert.ok(kcodec.compress("gzip", input, 9).length < kcodec.compress("gzip", input, 1).length);
  for (const level of [77, 1.5, Number.NaN]) {
    assert.throws(() => kcodec.compress("gzip", input, level), code("INVALID_ARGUMENT"), String(level));
  }
});

test("hashes", () => {
  const digits = new TextEncoder().encode("123456789");
  assert.equal(kcodec.crc32c(digits), 0xe306_9283);
  assert.equal(kcodec.crc32c(digits.subarray(4), kcodec.crc32c(digits.subarray(0, 4))), 0xe306_9283);
  for (const seed of [-1, 0.5, 2 ** 32, 5n, "5"]) {
    assert.throws(() => kcodec.crc32c(digits, seed), code("INVALID_ARGUMENT"), String(seed));
  }
  // From Kafka's own UtilsTest.
  assert.equal(kcodec.murmur2("21"), -973932308);
  assert.equal(kcodec.murmur2(new TextEncoder().encode("a-little-bit-long-string")), -985981536);
});

test("scanning reads headers alone, and stops at no fault", () => {
  const bytes = Buffer.concat([segment("java_zstd"), segment("java_none"), Buffer.alloc(30, 0xff)]);
  bytes[100] ^= 1;
  const scan = kcodec.scanBatches(bytes);
  assert.equal(scan.batches.length, 12);
  assert.equal(scan.batches[0].codec, "zstd");
  assert.equal(scan.tail.kind, "corrupt");
  assert.equal(scan.tail.error.position, scan.consumed + 8);
  assert.equal(scan.consumed, bytes.length - 30);
});

test("every faulty batch has its own fault, found as quickly among many", () => {
  const good = encodeRecords([{ value: "a" }]);
  const bad = Uint8Array.from(good);
  bad[20] ^= 1;
  const mixed = decodeRecords(Buffer.concat([good, bad, bad, good, bad, Buffer.alloc(30, 0xff)]), { keepGoing: true });
  assert.deepEqual(mixed.batches.map(({ error }) => error?.batch), [undefined, 1, 2, undefined, 4]);
  assert.deepEqual(mixed.faults.slice(0, 3), mixed.batches.flatMap(({ error }) => error ?? []));
  assert.equal(mixed.tail.kind, "corrupt");

  const many = decodeRecords(Buffer.concat(Array(4000).fill(bad)), { keepGoing: true });
  let reads = 0;
  const counted = (rows) => new Proxy(rows, { get: (target, key) => (reads++, target[key]) });
  for (const table of ["batches", "faults"]) many._columns[table] = counted(many._columns[table]);
  assert.ok(many.batches.every(({ error, index }) => error.batch === index));
  // 8 million, if each were to count those before it
  assert.ok(reads > 4000 && reads < 4000 * 64, `${reads} reads`);
});

test("validating", () => {
  const bytes = Uint8Array.from(segment("java_gzip"));
  for (const level of ["frame", "crc", "full"]) kcodec.validate(bytes, level);
  bytes[80] ^= 1;
  kcodec.validate(bytes, "frame");
  assert.throws(() => kcodec.validate(bytes, "crc"), code("CRC_MISMATCH"));
  assert.throws(() => kcodec.validate(bytes), code("CRC_MISMATCH"));
  kcodec.validate(encodeRecords([{ value: "a" }]), "produce");
  assert.throws(() => kcodec.validate(bytes, "deep"), code("INVALID_ARGUMENT"));
});

test("a tail that is cut off says what it needs", () => {
  const batch = encodeRecords([{ value: "a" }]);
  assert.deepEqual(decodeRecords(batch.subarray(0, -1)).tail, { kind: "partial", needed: batch.length });
  assert.deepEqual(decodeRecords(batch.subarray(0, 5)).tail, { kind: "partial", needed: null });
  assert.deepEqual(decodeRecords(new Uint8Array(0)).tail, { kind: "none" });
  assert.deepEqual(decodeRecords(new Uint8Array(12)).tail, { kind: "zeros" });
  assert.equal(decodeRecords(batch.subarray(0, 5)).nextOffset, null);
});

test("an input that is no Uint8Array is refused", () => {
  for (const input of [undefined, null, "text", [1, 2], new ArrayBuffer(8), new Uint16Array(4)]) {
    assert.throws(() => decodeRecords(input), code("INVALID_ARGUMENT"));
    assert.throws(() => kcodec.crc32c(input), code("INVALID_ARGUMENT"));
  }
});

test("bytes may be a part of any buffer, shared ones too, but not of one that was transferred away", () => {
  const batch = encodeRecords([{ key: "k", value: "v", headers: [["h", "é"]] }]);
  for (const buffer of [new ArrayBuffer(500), new SharedArrayBuffer(500)]) {
    const part = new Uint8Array(buffer, 13, batch.length);
    part.set(batch);
    const records = decodeRecords(part);
    assert.equal(records.value(0).buffer, buffer);
    assert.deepEqual([text(records.key(0)), text(records.value(0)), records.headerKey(0, 0)], ["k", "v", "h"]);
    assert.equal(decodeRecords(encodeRecords([{ key: records.key(0), value: part.subarray(0, 0) }])).value(0).length, 0);
    assert.equal(kcodec.crc32c(part), kcodec.crc32c(batch));
  }
  const gone = Uint8Array.from(batch);
  structuredClone(gone, { transfer: [gone.buffer] });
  for (const call of [() => decodeRecords(gone), () => kcodec.crc32c(gone), () => encodeRecords([{ value: gone }])]) {
    assert.throws(call, (error) => code("INVALID_ARGUMENT")(error) && /transferred/.test(error.message));
  }
});

test("every kind of error has a number and a name of its own", () => {
  const { errorKinds } = kcodec;
  assert.equal(new Set(errorKinds.map((kind) => kind.number)).size, errorKinds.length);
  assert.equal(new Set(errorKinds.map((kind) => kind.code)).size, errorKinds.length);
  assert.ok(errorKinds.every(({ number }) => number < 0));
});

test("the version is that of the package and of the library", () => {
  const pack = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const workspace = readFileSync(new URL("../../Cargo.toml", import.meta.url), "utf8");
  const [, version] = /\[workspace\.package\]\nversion = "(.*)"/.exec(workspace);
  assert.deepEqual([kcodec.version, pack.version], [version, version]);
});

test("names and numbers are those of the core", () => {
  const source = readFileSync(new URL("../../core/src/error.rs", import.meta.url), "utf8");
  const kinds = [...source.matchAll(/^    \w+ = (-\d+), "(\w+)", "(.*)";$/gm)];
  assert.ok(kinds.length > 40);
  const named = kinds.map(([, number, code, message]) => ({ number: Number(number), code, message }));
  assert.deepEqual(kcodec.errorKinds.slice(0, named.length), named, "cargo run -p kcodec-wasm --example kinds > wasm/js/kinds.ts");
});
