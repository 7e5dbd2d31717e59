// Segments that real brokers wrote, against what Kafka's own classes read in them.

import { indices, parse, same, shown, toBase64 } from "./check.mjs";

const timestampTypes = { none: "NoTimestampType", create: "CreateTime", append: "LogAppendTime" };

/** A test a segment. */
export async function segmentTests(kcodec, files) {
  const names = (await files.list("segments")).filter((name) => name.endsWith(".expected.jsonl"));
  return names.map((name) => ({
    name: `segment ${name.replace(".expected.jsonl", "")}`,
    async run() {
      const lines = (await files.text(`segments/${name}`)).trim().split("\n").map(parse);
      const segment = await files.bytes(`segments/${name.replace(".expected.jsonl", "")}`);
      const records = kcodec.decodeRecords(segment);
      const end = { end: records.consumed, file_size: segment.length, tail: records.tail.kind };
      same(end, lines.pop(), "the end");
      same(records.batches.length, lines.length, "batches");
      records.batches.forEach((batch, i) => same(describe(records, batch), lines[i], `batch ${i}`));
    },
  }));
}

function describe(records, batch) {
  const rows = indices(batch).map((i) => {
    const { offset, timestamp, key, value, headers } = shown(records, i, toBase64);
    const named = headers.map(([, value], h) => ({ key: records.headerKey(i, h), value_base64: value }));
    const row = { offset, timestamp, key_base64: key, value_base64: value, headers: named };
    return batch.control ? { ...row, control_type: controlType(records, batch, i) } : row;
  });
  const v2 = batch.magic === 2;
  const common = {
    position: batch.position,
    size: batch.size,
    magic: batch.magic,
    codec: batch.codec,
    base_offset: v2 ? batch.baseOffset : rows[0].offset,
    last_offset: batch.lastOffset,
    next_offset: batch.nextOffset,
    declared_count: v2 ? batch.declaredCount : null,
    crc: batch.crc,
    crc_ok: batch.crcVerified,
    timestamp_type: timestampTypes[batch.timestampType],
    max_timestamp: batch.maxTimestamp,
    records: rows,
  };
  if (!v2) return common;
  return {
    ...common,
    base_timestamp: batch.baseTimestamp,
    leader_epoch: batch.leaderEpoch,
    producer_id: batch.producerId,
    producer_epoch: batch.producerEpoch,
    base_sequence: batch.baseSequence,
    last_sequence: batch.lastSequence,
    transactional: batch.transactional,
    control: batch.control,
    delete_horizon: batch.deleteHorizon,
  };
}

/** The batch names the type of its first record; a snapshot's control batch holds several of one type. */
function controlType(records, batch, i) {
  same(Array.from(records.key(i)), Array.from(records.key(batch.firstRecord)), "control records of one type");
  return batch.controlType;
}
