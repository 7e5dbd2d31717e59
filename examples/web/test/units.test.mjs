import assert from "node:assert/strict";
import { openAsBlob, readdirSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import { modules } from "./modules.mjs";
import { expected, segment } from "./page.mjs";

const { load, close } = await modules();
const { windows } = await load("worker/framing.ts");
const { fieldsOf } = await load("segment/fields.ts");
const { describe: describeKind, FieldKind } = await load("segment/kinds.ts");
const { Kind } = await load("segment/rows.ts");
const { parsePaste } = await load("segment/paste.ts");
const { parseTime } = await load("segment/find.ts");
const { indent } = await load("segment/json.ts");
const format = await load("segment/format.ts");
after(close);

const SEGMENTS = readdirSync(segment("")).filter((name) => name.endsWith(".log"));
const sample = readFileSync(segment("java_none-0.log"));

async function framesOf(blob, size) {
  const frames = [];
  for await (const window of windows(blob, () => false, size)) frames.push(...window.frames);
  return frames;
}

test("frames are where Kafka finds batches, in every segment and through small windows", async () => {
  for (const name of SEGMENTS) {
    const blob = await openAsBlob(segment(name));
    const wanted = expected(name).map(({ position, size }) => [position, size]);
    for (const size of [undefined, 100, 999]) {
      const frames = await framesOf(blob, size);
      const found = frames
        .filter(({ kind }) => kind === Kind.Batch)
        .map((frame) => [frame.position, frame.size]);
      assert.deepEqual(found, wanted, `${name} with windows of ${size}`);
      const covered = frames.reduce(
        (at, frame) => (assert.equal(frame.position, at), at + frame.size),
        0,
      );
      assert.equal(covered, blob.size, `${name}: frames leave a gap`);
    }
  }
});

test("zeros after the last batch are one row", async () => {
  const blob = await openAsBlob(segment("preallocated-0.log"));
  for (const size of [undefined, 100]) {
    const frames = await framesOf(blob, size);
    assert.equal(frames.filter(({ kind }) => kind === Kind.Zeros).length, 1);
    assert.equal(frames.at(-1).kind, Kind.Zeros);
  }
});

test("a cut-off batch is one row up to the end", async () => {
  for (const cut of [1, 50, 1400]) {
    const frames = await framesOf(new Blob([sample.subarray(0, sample.length - cut)]), 200);
    assert.deepEqual(frames.at(-1), {
      kind: Kind.CutOff,
      position: frames.at(-1).position,
      size: frames.at(-1).size,
    });
    assert.equal(frames.at(-1).position + frames.at(-1).size, sample.length - cut);
    assert.equal(frames.filter(({ kind }) => kind === Kind.Batch).length, 5);
  }
});

test("after a damaged length the next batch is found again", async () => {
  const [, second, third] = expected("java_none-0.log");
  for (const length of [3, -1, 0x7fffffff]) {
    const bytes = Uint8Array.from(sample);
    new DataView(bytes.buffer).setInt32(second.position + 8, length);
    for (const size of [undefined, 300]) {
      const frames = await framesOf(new Blob([bytes]), size);
      assert.equal(frames[1].kind, Kind.Damaged);
      assert.deepEqual([frames[1].position, frames[1].size], [second.position, second.size]);
      assert.deepEqual([frames[2].kind, frames[2].position], [Kind.Batch, third.position]);
      assert.equal(frames.length, 6);
    }
  }
});

test("fields tile an entry, and those named key and value are what Kafka reads", () => {
  let checked = 0;
  for (const name of SEGMENTS) {
    const file = readFileSync(segment(name));
    for (const batch of expected(name)) {
      const bytes = new Uint8Array(file.subarray(batch.position, batch.position + batch.size));
      const fields = fieldsOf(bytes);
      assert.equal(fields.start(0), 0);
      assert.equal(fields.end(fields.length - 1), bytes.length);
      for (let i = 0; i < fields.length; i++) {
        assert.notEqual(fields.kind(i), FieldKind.Unread, `${name} at ${batch.position}`);
        describeKind(fields.kind(i)).read(bytes.subarray(fields.start(i), fields.end(i)));
      }
      if (batch.codec !== "none") continue;
      const wanted = batch.records.flatMap(({ key_base64: key, value_base64: value }) => [
        key,
        value,
      ]);
      const named = [FieldKind.Key, FieldKind.Value, FieldKind.ControlKey, FieldKind.ControlValue];
      const found = [];
      for (let i = 0; i < fields.length; i++) {
        if (!named.includes(fields.kind(i))) continue;
        found.push(Buffer.from(bytes.subarray(fields.start(i), fields.end(i))).toString("base64"));
      }
      assert.deepEqual(found, wanted.filter(Boolean), `${name} at ${batch.position}`);
      checked++;
    }
  }
  assert.ok(checked > 1800, `only ${checked} entries`);
});

test("pasted bytes are read as hex, as a dump and as base64", () => {
  const bytes = new Uint8Array(sample.subarray(0, 93));
  const hex = Buffer.from(bytes).toString("hex");
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const part = Buffer.from(bytes.subarray(at, at + 16));
    const text = part.toString("latin1").replace(/[^ -~]/g, ".");
    const pairs = part
      .toString("hex")
      .match(/.{1,4}/g)
      .join(" ");
    const cells = part.toString("hex").match(/../g).join(" ");
    lines.push({
      xxd: `${at.toString(16).padStart(8, "0")}: ${pairs.padEnd(39)}  ${text}`,
      hexdump: `${at.toString(16).padStart(8, "0")}  ${cells.slice(0, 23)}  ${cells.slice(24).padEnd(23)}  |${text}|`,
    });
  }
  const forms = {
    plain: [hex, "hex"],
    spaced: [hex.match(/../g).join(" "), "hex"],
    prefixed: [
      hex
        .match(/../g)
        .map((pair) => `0x${pair}`)
        .join(", "),
      "hex",
    ],
    xxd: [lines.map(({ xxd }) => xxd).join("\n"), "hex dump"],
    hexdump: [`${lines.map(({ hexdump }) => hexdump).join("\n")}\n0000005d\n`, "hex dump"],
    base64: [Buffer.from(bytes).toString("base64"), "base64"],
    url: [Buffer.from(bytes).toString("base64url"), "base64"],
  };
  for (const [name, [text, form]] of Object.entries(forms)) {
    const pasted = parsePaste(text);
    assert.deepEqual([pasted?.form, pasted?.bytes], [form, bytes], name);
  }
  assert.equal(parsePaste("these are no bytes"), null);
  assert.equal(parsePaste("bytes"), null);
  assert.equal(parsePaste(""), null);
});

test("times are read in the zone that is shown", () => {
  assert.equal(parseTime("1700000000105", "utc"), 1700000000105n);
  assert.equal(parseTime("2023-11-14 22:13:20.105", "utc"), 1700000000105n);
  assert.equal(parseTime("2023-11-14T23:13:20.105+01:00", "local"), 1700000000105n);
  assert.equal(parseTime("2023-11-14", "utc"), 1699920000000n);
  assert.equal(parseTime("yesterday", "utc"), null);
  assert.equal(format.time(1700000000105n, "utc"), "2023-11-14 22:13:20.105");
  assert.equal(format.time(9007199254740993n, "utc"), "9007199254740993");
});

test("JSON is indented with its numbers as they were written", () => {
  assert.equal(
    indent('{"a":1.0,"b":[],"c":[12345678901234567890,{"d":"x,{y"}]}'),
    '{\n  "a": 1.0,\n  "b": [],\n  "c": [\n    12345678901234567890,\n    {\n      "d": "x,{y"\n    }\n  ]\n}',
  );
  assert.equal(indent("{nope"), null);
  assert.equal(indent("12"), null);
});

test("a preview never cuts a character and shows control characters", () => {
  const text = "é".repeat(300);
  assert.match(format.preview(new TextEncoder().encode(text), 199), /^é+…$/);
  assert.equal(format.preview(Uint8Array.of(0x61, 0x0a, 0x62)), "a␊b");
  assert.equal(format.preview(Uint8Array.of(0xff, 0x00)), "ff00");
});
