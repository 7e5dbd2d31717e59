// Prints the batches and records of a segment file, piece by piece, so that the file may be of any size.
//
// usage: node inspect.mjs FILE

import { open } from "node:fs/promises";
import process, { argv, stdout } from "node:process";
import { Decoder } from "kcodec";

/** Bytes that are read at once. */
const PIECE = 4 * 1024 * 1024;

const tails = {
  none: "",
  partial: ", then a batch that is cut off",
  zeros: ", then zeros",
  corrupt: ", then bytes that are no batch",
};

const path = argv[2];
if (path === undefined || argv.length > 3) {
  console.error("usage: node inspect.mjs FILE");
  process.exitCode = 2;
} else {
  process.exitCode = (await inspect(path)) ? 0 : 1;
}

/** Prints a file; says whether all of it could be read. */
async function inspect(path) {
  const file = await open(path);
  const { size } = await file.stat();
  const decoder = new Decoder({ keepGoing: true });
  const count = { batches: 0, records: 0, faults: 0 };
  let [position, length] = [0, PIECE];
  for (;;) {
    const bytes = new Uint8Array(Math.min(length, size - position));
    await file.read(bytes, 0, bytes.length, position);
    const records = decoder.decode(bytes);
    for (const batch of records.batches) stdout.write(describe(batch, records, position));
    count.batches += records.batches.length;
    count.records += records.length;
    count.faults += records.faults.length;

    const { tail } = records;
    const isLast = tail.kind === "corrupt" || tail.kind === "zeros" || position + bytes.length === size;
    position += records.consumed;
    if (isLast) {
      console.log(`${count.batches} batches, ${count.records} records in ${position} bytes${tails[tail.kind]}`);
      return count.faults === 0;
    }
    // The next piece starts with the batch that this one cut off, and holds it even if it is large.
    length = Math.max(PIECE, tail.needed ?? 0);
  }
}

/** A line for the batch, and one for each of its records. */
function describe(batch, records, position) {
  const { magic, codec, baseOffset, lastOffset, error } = batch;
  const fault = error === null ? "" : `: ${error.code}`;
  const at = `batch at ${position + batch.position}: ${batch.size} bytes`;
  const lines = [`${at}, magic ${magic}, codec ${codec ?? "unknown"}, offsets ${baseOffset}..${lastOffset}${fault}`];
  for (let i = batch.firstRecord; i < batch.firstRecord + batch.count; i++) {
    const headers = Array.from({ length: records.headerCount(i) }, (_, h) => {
      return ` header=${shown(records.headerKeyBytes(i, h))} =${shown(records.headerValue(i, h))}`;
    });
    const fields = `key=${shown(records.key(i))} value=${shown(records.value(i))}${headers.join("")}`;
    lines.push(`  ${records.offsetBig(i)} ${records.timestampBig(i)} ${fields}`);
  }
  return `${lines.join("\n")}\n`;
}

/** A key or value as text, everything that is not printable escaped. Null is not empty. */
function shown(bytes) {
  if (bytes === null) return "null";
  const printable = (byte) => byte >= 0x20 && byte < 0x7f && byte !== 0x5c;
  return Array.from(bytes, (byte) => {
    return printable(byte) ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
  }).join("");
}
