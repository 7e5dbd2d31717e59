// The golden vectors that are record sets: each gives what its `meaning` says.

import { dataOf, fromHex, indices, ok, parse, same, shown, thrown, toHex } from "./check.mjs";

const recordSets = new Set(["v0", "v1", "v2", "recordset", "convert"]);
/** Varints are no part of this package's face, nor are indices and messages of the protocol. */
const others = new Set(
  "uvarint varint varlong index timeindex txnindex string uuid tagged req produce fetch api metadata init end add find list".split(" "),
);

/** A test a vector. */
export async function goldenTests(kcodec, files) {
  const all = parse(await files.text("golden.json"));
  const mine = all.filter(({ name }) => {
    const kind = name.split("_")[0];
    ok(recordSets.has(kind) || others.has(kind), `a vector without a test: ${name}`);
    return recordSets.has(kind);
  });
  return mine.map((vector) => ({ name: `golden ${vector.name}`, run: () => check(kcodec, vector, all) }));
}

function check(kcodec, { name, hex, meaning }, all) {
  const bytes = fromHex(hex);
  if (name === "v0_sarama_snappy_message_body" || name === "v1_zstd_wrapper_invalid") {
    return checkBareMessage(kcodec, bytes, meaning);
  }
  const records = kcodec.decodeRecords(bytes, { keepGoing: true });
  if (meaning.error === undefined) same(records.faults, [], "faults");
  const found = { kcodec, name, bytes, records, all };
  for (const [key, want] of Object.entries(meaning)) checkKey(found, key, want);
}

const utf8 = new TextDecoder();
const text = (bytes) => bytes && utf8.decode(bytes);

/** Keys that say in words what others say in numbers. */
const notes = new Set(
  "note rule codec from firstOffset inner_relative hc uncompressed_sha coordinatorEpoch meaning sequences".split(" "),
);

/** Keys whose value is a field of the first batch. */
const fields = {
  baseOffset: (batch) => batch.baseOffset,
  offset: (batch) => batch.baseOffset,
  wrapper_offset: (batch) => batch.baseOffset,
  length: (batch) => batch.size - 12,
  size: (batch) => batch.size - 12,
  partitionLeaderEpoch: (batch) => batch.leaderEpoch,
  magic: (batch) => batch.magic,
  crc: (batch) => batch.crc.toString(16).padStart(8, "0"),
  lastOffsetDelta: (batch) => batch.lastOffsetDelta,
  lastOffset: (batch) => batch.lastOffset,
  nextOffset: (batch) => batch.nextOffset,
  baseTimestamp: (batch) => batch.baseTimestamp,
  maxTimestamp: (batch) => batch.maxTimestamp,
  timestamp: (batch) => batch.maxTimestamp,
  producerId: (batch) => batch.producerId,
  producerEpoch: (batch) => batch.producerEpoch,
  baseSequence: (batch) => batch.baseSequence,
  lastSequence: (batch) => batch.lastSequence,
  recordsCount: (batch) => batch.declaredCount,
  timestampType: (batch) => ({ none: "None", create: "CreateTime", append: "LogAppendTime" })[batch.timestampType],
};

function checkKey(found, key, want) {
  const { kcodec, name, bytes, records, all } = found;
  const batch = records.batches[0];
  const rows = records.batches.flatMap((batch) => indices(batch).map((i) => shown(records, i, text)));
  if (notes.has(key)) return;
  if (key in fields) return same(fields[key](batch), want, key);
  switch (key) {
    case "attributes":
      return same(batch.attributes, Number.parseInt(want, String(want).startsWith("0x") ? 16 : 10), key);
    case "crc_equal_to": {
      const other = fromHex(all.find(({ name }) => name === want).hex);
      return same(batch.crc, kcodec.decodeRecords(other).batches[0].crc, key);
    }
    case "computed_crc":
      return same(records.faults[0].actual.toString(16), want, key);
    case "error":
      return checkError(found);
    case "records":
      return typeof want === "string" ? checkTenHellos(found, rows) : checkRecords(found, want);
    case "uncompressed_len":
      return batch.error === null && same(batch.payloadSize, want, key);
    case "key":
    case "type": {
      const type = typeof want === "object" && want !== null ? want.type : want;
      if (typeof type !== "number") return same(rows[0].key, want, key);
      return same(batch.controlType, controlNames[type], key);
    }
    case "value":
      // Those of control records are messages of the protocol.
      return typeof want === "object" && want !== null ? ok(rows[0].value !== null, key) : same(rows[0].value, want, key);
    case "wrapper": {
      const { baseOffset: offset, attributes, maxTimestamp: timestamp } = batch;
      return same({ offset, attributes, ...(want.timestamp && { timestamp }) }, want, key);
    }
    case "inner_offsets_absolute":
    case "absolute":
    case "offsets":
      return same(rows.map(({ offset }) => offset), want, key);
    case "values":
      return same(rows.map(({ value }) => value), want, key);
    case "timestamps":
      return same(rows.map(({ timestamp }) => timestamp), want, key);
    case "magics":
      return same(records.batches.map(({ magic }) => magic), want, key);
    case "complete_batches":
      ok(records.tail.kind === "partial" || records.tail.kind === "zeros", records.tail.kind);
      return same(records.batches.length, want, key);
    case "trailing_bytes":
      return same(bytes.length - records.consumed, want, key);
    default:
      throw new Error(`${name}: a key without a test: ${key}`);
  }
}

const controlNames = [
  "ABORT", "COMMIT", "LEADER_CHANGE", "SNAPSHOT_HEADER", "SNAPSHOT_FOOTER", "KRAFT_VERSION", "KRAFT_VOTERS",
];

function checkRecords({ name, records }, want) {
  // Texts stand for themselves, except where the original has arbitrary bytes.
  const rows = dataOf(records, name.startsWith("v2_sarama") ? toHex : text);
  same(rows.length, want.length, "records");
  want.forEach((record, i) => {
    const { timestamp } = rows[i];
    const row = { ...rows[i], ts: timestamp, timestampDelta: timestamp - records.batches[0].baseTimestamp };
    for (const [key, value] of Object.entries(record)) {
      ok(key in row, `a key of a record without a test: ${key}`);
      same(row[key], value, `record ${i}, ${key}`);
    }
  });
}

function checkTenHellos({ name }, rows) {
  if (name === "v2_lz4_bad_header_checksum" || name === "v2_lz4_no_endmark") return same(rows, [], "records");
  const first = rows[0].timestamp;
  const want = Array.from({ length: 10 }, (_, i) => ({
    offset: i,
    timestamp: first + BigInt(i),
    key: `key0${i}`,
    value: "hello hello hello",
    headers: [],
  }));
  same(rows, want, "records");
}

/** The rule that each bad vector breaks. */
const broken = {
  v2_control_wrong_crc_from_kafka_python: "CRC_MISMATCH",
  v2_bad_crc: "CRC_MISMATCH",
  v1_bad_crc: "CRC_MISMATCH",
  v2_lz4_bad_header_checksum: "CODEC_CHECKSUM",
  v2_lz4_no_endmark: "CODEC_TRUNCATED",
  v2_count_too_high: "RECORD_COUNT",
  v2_count_too_low: "TRAILING_BYTES",
  v1_nested_compression_invalid: "INNER_COMPRESSED",
  v1_wrapper_null_value_invalid: "WRAPPER_EMPTY",
  v1_wrapper_empty_set_invalid: "WRAPPER_EMPTY",
};

function checkError({ kcodec, name, bytes, records }) {
  if (name === "v2_count_offset_range_mismatch") {
    // Legal in a fetch, refused in a produce request, whose base offset must be 0.
    same(records.faults, [], "faults");
    const produced = bytes.slice();
    produced.fill(0, 0, 8);
    return same(thrown(() => kcodec.validate(produced, "produce"))?.code, "PRODUCE_OFFSETS", "produced");
  }
  ok(name in broken, "a bad vector without a test");
  same(records.faults.map(({ code }) => code), [broken[name]], "faults");
}

/** A message without its offset and size. */
function checkBareMessage(kcodec, bytes, { inner }) {
  const entry = new Uint8Array(12 + bytes.length);
  new DataView(entry.buffer).setBigInt64(0, 1n);
  new DataView(entry.buffer).setInt32(8, bytes.length);
  entry.set(bytes, 12);
  const records = kcodec.decodeRecords(entry, { keepGoing: true });
  if (inner === undefined) return same(records.faults[0].code, "CODEC_FOR_MAGIC", "fault");
  same(dataOf(records, toHex), dataOf(kcodec.decodeRecords(fromHex(inner)), toHex), "inner messages");
}
