// What becomes of memory and of an instance that dies.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as kcodec from "../dist/node.js";
import { Engine, Instance, shared } from "../dist/instance.js";
import { compiled } from "../dist/loader.js";
import { LIMIT } from "./shared/cases.mjs";
import { thrown } from "./shared/check.mjs";

const vectors = new URL("../../vectors/", import.meta.url);
const bytesOf = (path) => readFileSync(new URL(path, vectors));
const cases = JSON.parse(bytesOf("cases/manifest.json").toString()).filter(({ input }) => input === "records");
const sizeOf = (instance) => instance.exports.memory.buffer.byteLength;
/** What an instance has before its first call, and what inputs, tables and the windows of codecs may take. */
const OWN = 2 * 1024 * 1024;

test("no case makes memory grow past the limit, and the next call works", () => {
  const good = bytesOf("segments/java_zstd-0.log");
  for (const { file } of cases) {
    const bytes = bytesOf(`cases/${file}`);
    const instance = new Instance(compiled());
    // keepGoing, so that everything there is gets its chance to grow.
    instance.exports.decode(instance.put(bytes), 2, LIMIT, LIMIT, 0, 0);
    assert.ok(sizeOf(instance) <= LIMIT + OWN, `${file}: ${sizeOf(instance)} bytes`);
    assert.equal(instance.exports.decode(instance.put(good), 0, 0, 0, 0, 0), 0, file);
  }
});

test("a bomb under the default limits leaves nothing behind in the package's own instance", () => {
  const bombs = cases.filter(({ expected }) => expected.outcome === "bomb");
  assert.ok(bombs.length >= 4);
  for (const { file } of bombs) thrown(() => kcodec.decodeRecords(bytesOf(`cases/${file}`)));
  shared.run((instance) => assert.ok(sizeOf(instance) <= 32 * 1024 * 1024, `${sizeOf(instance)} bytes`));
});

test("a trap is told as an error with a code, and the next call works", () => {
  const decoder = new kcodec.Decoder();
  const good = bytesOf("segments/java_gzip-0.log");
  const engines = [shared, new Engine()];
  for (const engine of engines) {
    let dead;
    // More input than there is room for: the slice is out of range, which is a panic, which is a trap.
    const error = thrown(() => engine.run((instance) => (dead = instance).exports.crc32c(0, 0x7fff_ffff)));
    assert.ok(error instanceof kcodec.KcodecError, String(error));
    assert.equal(error.code, "INTERNAL");
    assert.ok(error.cause instanceof WebAssembly.RuntimeError);
    assert.ok(!/unreachable/.test(error.message));
    engine.run((instance) => assert.notEqual(instance, dead));
  }
  assert.equal(kcodec.decodeRecords(good).length, 120);
  assert.equal(decoder.decode(good).length, 120);
});

test("an instance whose memory was scribbled over dies, and the next call works", () => {
  const engine = new Engine();
  const good = bytesOf("segments/java_gzip-0.log");
  const decode = (instance) => instance.check(instance.exports.decode(instance.put(good), 0, 0, 0, 0, 0));
  engine.run(decode);
  engine.run((instance) => instance.bytes.fill(0xff));
  assert.equal(thrown(() => engine.run(decode))?.code, "INTERNAL");
  engine.run(decode);
});

test("a call from inside of a call meets another instance", () => {
  const records = [{ get value() {
    return Uint8Array.of(kcodec.decodeRecords(bytesOf("segments/java_gzip-0.log")).length);
  } }];
  assert.equal(kcodec.decodeRecords(kcodec.encodeRecords(records)).value(0)[0], 120);
});

test("a value that is longer when it is read again does not reach beyond its room", () => {
  const long = { bytes: new Uint8Array(1 << 20), text: "x".repeat(1 << 20) };
  for (const [form, value] of Object.entries(long)) {
    let reads = 0;
    const record = { get value() { return reads++ === 0 ? value.slice(0, 1) : value; } };
    assert.equal(thrown(() => kcodec.encodeRecords([record]))?.code, "INVALID_ARGUMENT", form);
  }
  assert.equal(kcodec.decodeRecords(bytesOf("segments/java_gzip-0.log")).length, 120);
});

test("a module of another version is refused before its memory is read", () => {
  const empty = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  assert.equal(thrown(() => new Instance(empty))?.code, "ABI_MISMATCH");
});

test("an error of the caller's own getter does not pass for one of the library", () => {
  const own = new Error("mine");
  const records = [{ get value() { throw own; } }];
  assert.throws(() => kcodec.encodeRecords(records), own);
});

test("rubbish is refused, and never traps", () => {
  let state = 1;
  const next = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 16;
  for (const file of ["java_gzip", "java_snappy", "java_lz4", "java_zstd", "java_edges", "mixed_magic", "v0_java_lz4"]) {
    const good = bytesOf(`segments/${file}-0.log`).subarray(0, 4000);
    for (let i = 0; i < 400; i++) {
      const bytes = Uint8Array.from(good);
      for (let j = next() % 4; j >= 0; j--) bytes[next() % bytes.length] = next();
      for (const options of [{ verifyCrc: false }, { verifyCrc: false, keepGoing: true }, { keepGoing: true }]) {
        const error = thrown(() => kcodec.decodeRecords(bytes, options));
        assert.ok(error === null || (error instanceof kcodec.KcodecError && error.code !== "INTERNAL"), String(error));
      }
    }
  }
});

test("a bomb of each codec makes memory grow to the limit, and a window beside it", () => {
  // No power of two, which a buffer that doubles would meet by chance.
  const limit = 20 * 1024 * 1024;
  for (const codec of ["gzip", "snappy", "lz4", "zstd"]) {
    const bomb = kcodec.encodeRecords([{ value: new Uint8Array(32 * 1024 * 1024) }], { codec });
    const instance = new Instance(compiled());
    assert.notEqual(instance.exports.decode(instance.put(bomb), 0, limit, limit, 0, 0), 0, codec);
    assert.ok(sizeOf(instance) <= limit + bomb.length + OWN, `${codec}: ${sizeOf(instance)} bytes`);
  }
});
