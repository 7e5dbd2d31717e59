// kcodec beside two clients, in one run: ns a record, and how many times less than each client's.
//
// usage: node --expose-gc records.mjs      (after tools/build-npm)

import { cpus } from "node:os";
import { bench, run } from "mitata";
import { crc32c, version } from "../dist/node.js";
import { batch, check, COUNT, decoders, encoders } from "./cases.mjs";

await check();

const megabyte = batch.subarray(0, 1 << 20);
const kilobyte = batch.subarray(0, 1 << 10);
const hashes = { "1 MiB": () => crc32c(megabyte), "1 KiB": () => crc32c(kilobyte) };

// The cases take turns, so that a busy minute of the machine hits all of them.
const ROUNDS = 8;
for (let round = 0; round < ROUNDS; round++) {
  for (const [group, cases] of Object.entries({ decode: decoders, encode: encoders, crc32c: hashes })) {
    for (const [name, work] of Object.entries(cases)) bench(`${group}: ${name}`, work);
  }
}
const { benchmarks } = await run({ format: "quiet" });
const stats = new Map();
for (const { alias, runs } of benchmarks) stats.set(alias, [...(stats.get(alias) ?? []), runs[0].stats]);
const timed = Array.from(stats, ([name, rounds]) => ({
  name,
  least: Math.min(...rounds.map(({ min }) => min)),
  ns: Math.min(...rounds.map(({ p50 }) => p50)),
}));

console.log(`kcodec ${version}, node ${process.version}, ${cpus()[0].model}, ${new Date().toISOString().slice(0, 10)}`);
console.log(`${COUNT} records of 100 bytes in one batch of ${batch.length} bytes, best of ${ROUNDS} rounds\n`);
// Others may be at work on the machine: the least time is the one to compare, and the more so since it leaves the
// clients' garbage collection out.
const clients = ["@platformatic/kafka", "kafkajs"];
for (const group of ["decode", "encode"]) {
  const rows = timed.filter(({ name }) => name.startsWith(group));
  const [platformatic, kafkajs] = clients.map((client) => rows.find(({ name }) => name.includes(client)));
  console.log(`${group.padEnd(44)}ns a record: least   median     × platformatic   × kafkajs`);
  for (const { name, ns, least } of rows) {
    const each = [least, ns].map((time) => (time / COUNT).toFixed(1).padStart(9));
    const times = [platformatic, kafkajs].map((client) => (client.least / least).toFixed(1));
    console.log(`${name.slice(group.length + 2).padEnd(54)}${each.join("")}${times[0].padStart(19)}${times[1].padStart(12)}`);
  }
  console.log();
}
for (const { name, ns, least } of timed.filter(({ name }) => name.startsWith("crc32c"))) {
  const bytes = name.endsWith("MiB") ? megabyte.length : kilobyte.length;
  console.log(`${name}, copied in and checksummed: ${(bytes / ns).toFixed(2)} GB/s (at best ${(bytes / least).toFixed(2)})`);
}
