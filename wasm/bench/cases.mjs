// What is measured, and that everyone gives the right answer.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { dirname, join } from "node:path";
import * as kcodec from "../dist/node.js";

const require = createRequire(import.meta.url);
const RecordBatchDecoder = require("kafkajs/src/protocol/recordBatch/v0/decoder");
const { RecordBatch } = require("kafkajs/src/protocol/recordBatch/v0");
const KafkajsRecord = require("kafkajs/src/protocol/recordBatch/record/v0");
const KafkajsDecoder = require("kafkajs/src/protocol/decoder");

// Neither client exports its codec; both are imported by file.
const platformatic = dirname(require.resolve("@platformatic/kafka"));
const fileOf = (name) => pathToFileURL(join(platformatic, "protocol", name)).href;
const { readRecordsBatches, createRecordsBatch } = await import(fileOf("records.js"));
const { Reader } = await import(fileOf("reader.js"));

export const COUNT = 10_000;
const SIZE = 100;
const TIME = 1_700_000_000_000;

const values = Array.from({ length: COUNT }, (_, i) => Buffer.alloc(SIZE, `{"order":${i},"city":"Lisboa"}`));
export const batch = Buffer.from(
  kcodec.encodeRecords(values.map((value, i) => ({ value, timestamp: TIME + i })), { baseOffset: 4711 }),
);

/** The sum of all offsets and value lengths. */
export const answer = COUNT * 4711 + (COUNT * (COUNT - 1)) / 2 + COUNT * SIZE;

const verified = new kcodec.Decoder();
const unverified = new kcodec.Decoder({ verifyCrc: false });

function sum(records) {
  let total = 0;
  for (let i = 0; i < records.length; i++) total += records.offset(i) + records.valueLength(i);
  return total;
}

function sumObjects(records) {
  let total = 0;
  for (let i = 0; i < records.length; i++) {
    const record = records.at(i);
    total += Number(record.offset) + record.value.length;
  }
  return total;
}

function platformaticSum() {
  let total = 0;
  for (const found of readRecordsBatches(Reader.from(batch))) {
    const first = Number(found.firstOffset);
    for (const record of found.records) total += first + record.offsetDelta + record.value.length;
  }
  return total;
}

async function kafkajsSum() {
  const { records } = await RecordBatchDecoder(new KafkajsDecoder(batch));
  let total = 0;
  for (const record of records) total += Number(record.offset) + record.value.length;
  return total;
}

/** Decoding one batch and reading every offset and value length. */
export const decoders = {
  "kcodec, verified": () => sum(verified.decode(batch)),
  "kcodec, verified, borrowed": () => verified.borrow(batch, sum),
  "kcodec, unverified": () => sum(unverified.decode(batch)),
  "kcodec, unverified, borrowed": () => unverified.borrow(batch, sum),
  "kcodec, verified, an object a record": () => sumObjects(verified.decode(batch)),
  "@platformatic/kafka (verifies nothing)": platformaticSum,
  "kafkajs (verifies nothing)": kafkajsSum,
};

const records = values.map((value, i) => ({ value, timestamp: TIME + i }));
const platformaticRecords = values.map((value, i) => ({ topic: "t", value, timestamp: BigInt(TIME + i) }));

/** Encoding the same records. */
export const encoders = {
  kcodec: () => kcodec.encodeRecords(records),
  "@platformatic/kafka": () => createRecordsBatch(platformaticRecords).buffer,
  kafkajs: async () => {
    const all = values.map((value, i) => KafkajsRecord({ offsetDelta: i, timestampDelta: i, key: null, value }));
    const options = { firstTimestamp: TIME, maxTimestamp: TIME + COUNT - 1, lastOffsetDelta: COUNT - 1 };
    return (await RecordBatch({ ...options, records: all })).buffer;
  },
};

export async function check() {
  for (const [name, decode] of Object.entries(decoders)) assert.equal(await decode(), answer, name);
  for (const [name, encode] of Object.entries(encoders)) {
    const written = kcodec.decodeRecords(Uint8Array.from(await encode()));
    assert.equal(written.length, COUNT, name);
    for (const i of [0, 1, COUNT - 1]) {
      assert.deepEqual(Buffer.from(written.value(i)), values[i], name);
      assert.equal(written.timestamp(i), TIME + i, name);
    }
  }
}
