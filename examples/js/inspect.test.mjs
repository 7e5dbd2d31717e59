// The script is run as its users run it, and what it prints held against what Kafka read in the same files.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const segments = join(here, "../../vectors/segments");
const inspect = (path) => spawnSync("node", [join(here, "inspect.mjs"), path], { encoding: "utf8", maxBuffer: 1 << 28 });

before(() => {
  const { status, stderr } = spawnSync("npm", ["install", "--silent", "--offline"], { cwd: here, encoding: "utf8" });
  assert.equal(status, 0, stderr);
});

test("inspect prints what Kafka reads", () => {
  for (const name of ["java_edges-0", "mixed_magic-0", "java_txn-15", "preallocated-0"]) {
    const expected = readFileSync(join(segments, `${name}.log.expected.jsonl`), "utf8").trim().split("\n");
    const batches = expected.map((line) => JSON.parse(line));
    const end = batches.pop();
    const { status, stdout } = inspect(join(segments, `${name}.log`));
    assert.equal(status, 0, name);
    const lines = stdout.trim().split("\n");
    const records = batches.flatMap((batch) => batch.records);
    assert.equal(lines.length, batches.length + records.length + 1, name);
    assert.ok(lines.at(-1).startsWith(`${batches.length} batches, ${records.length} records in ${end.end} bytes`));
    const offsets = lines.filter((line) => line.startsWith("  ")).map((line) => Number(line.trim().split(" ")[0]));
    assert.deepEqual(offsets, records.map(({ offset }) => offset));
  }
});

test("a file of many pieces, with a damaged batch and a cut one", () => {
  const folder = mkdtempSync(join(tmpdir(), "kcodec-inspect-"));
  try {
    const one = readFileSync(join(segments, "java_wide-0.log"));
    const times = 60;
    const bytes = Buffer.concat(Array.from({ length: times }, () => one));
    bytes[one.length * 40 + 100] ^= 1;
    writeFileSync(join(folder, "many.log"), bytes.subarray(0, -1));
    const { status, stdout } = inspect(join(folder, "many.log"));
    assert.equal(status, 1);
    const lines = stdout.trim().split("\n");
    assert.equal(lines.filter((line) => line.endsWith(": CRC_MISMATCH")).length, 1);
    const [batches, records] = [times - 1, (times - 2) * 5000];
    const end = `${batches} batches, ${records} records in ${one.length * batches} bytes, then a batch that is cut off`;
    assert.equal(lines.at(-1), end);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("used wrongly", () => {
  assert.equal(spawnSync("node", [join(here, "inspect.mjs")]).status, 2);
  assert.notEqual(inspect(join(segments, readdirSync(segments)[0], "nothing")).status, 0);
});
