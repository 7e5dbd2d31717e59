/**
 * A file of a gigabyte, made of real batches with fresh offsets in a temporary folder: it is
 * indexed, scrolled, searched and stopped, and the memory of the browser stays far below its size.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { expected, integerText, segment, start } from "./page.mjs";

const SIZE = 1e9;
/** Resident bytes that the renderer may add to what it takes with an empty page. */
const MOST_ADDED = 500e6;
const SOURCES = [
  "java_wide-0.log",
  "java_none-0.log",
  "java_zstd-0.log",
  "librdkafka_snappy-0.log",
  "java_txn-0.log",
];

const room = statfsSync(tmpdir());
const skip =
  room.bavail * room.bsize < 2 * SIZE ? "less than 2 GB free in the temporary folder" : false;

let chromium;
let folder;
let made;
before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "kcodec-large-"));
  made = generate(join(folder, "00000000000000000000.log"));
  chromium = await start();
});
after(async () => {
  await chromium?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

/** Base offsets are outside of the checksum, so real batches are repeated by counting on. */
function generate(path) {
  const parts = SOURCES.map((name) => ({
    bytes: readFileSync(segment(name)),
    batches: expected(name),
  }));
  const file = openSync(path, "w");
  let [size, offset, batches, records] = [0, 0, 0, 0];
  let middle = null;
  while (size < SIZE) {
    for (const { bytes, batches: list } of parts) {
      for (const batch of list) {
        bytes.writeBigInt64BE(BigInt(offset), batch.position);
        if (middle === null && size + batch.position > SIZE / 2) middle = offset;
        offset += batch.last_offset - batch.base_offset + 1;
        batches++;
        records += batch.records.length;
      }
      writeSync(file, bytes);
      size += bytes.length;
    }
  }
  closeSync(file);
  return { path, size, offset, batches, records, middle };
}

/** The largest renderer of this browser, in bytes. */
function resident() {
  const processes = execFileSync("ps", ["-eo", "pid,ppid,rss,args"], { encoding: "utf8" })
    .trim()
    .split("\n")
    .slice(1);
  const list = processes.map((line) => line.trim().split(/\s+/));
  const mine = new Set([String(process.pid)]);
  for (let grew = true; grew;) {
    grew = false;
    for (const [pid, parent] of list)
      if (mine.has(parent) && !mine.has(pid)) grew = Boolean(mine.add(pid));
  }
  const renderers = list.filter(
    ([pid, , , ...args]) => mine.has(pid) && args.join(" ").includes("--type=renderer"),
  );
  return Math.max(0, ...renderers.map(([, , rss]) => Number(rss) * 1024));
}

test(
  "a gigabyte is read, scrolled and searched in little memory",
  { skip, timeout: 400_000 },
  async (context) => {
    const page = await chromium.page();
    page.setDefaultTimeout(300_000);
    const atFirst = resident();
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, resident())), 250);

    const chooser = page.waitForEvent("filechooser");
    await page.locator("header button", { hasText: "Open" }).click();
    const began = performance.now();
    await (await chooser).setFiles(made.path);
    await page.getByRole("progressbar").waitFor();

    // The page answers while the worker reads; were it the page that reads, a click would wait for the end.
    await page.locator("#batches-10").waitFor();
    const clicked = performance.now();
    await page.locator("#batches-10").click();
    await page.locator("#batches-10.selected").waitFor();
    const answered = performance.now() - clicked;
    assert.ok(await page.getByRole("progressbar").isVisible(), "all was read before the click");

    await page
      .locator(".status", {
        hasText: `${integerText(made.batches)} batches, ${integerText(made.records)} records, no errors`,
      })
      .waitFor();
    const took = performance.now() - began;

    await page.locator("#batches").focus();
    await page.keyboard.press("End");
    await page.locator("#batches .row.cursor", { hasText: String(made.offset - 1) }).waitFor();
    await page
      .locator("#batches")
      .evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
    await page.waitForFunction((last) => {
      const row = document.querySelector("#batches .body .row:nth-child(8)");
      const index = Number(row?.getAttribute("aria-rowindex"));
      // The row that was there before is near the end.
      return index > last * 0.4 && index < last * 0.6;
    }, made.batches);
    const before = await page.locator("#batches .body .row").nth(8).getAttribute("id");
    await page.mouse.move(300, 600);
    await page.mouse.wheel(0, 28 * 5);
    await page.waitForFunction(
      (id) => document.querySelectorAll("#batches .body .row")[8]?.id !== id,
      before,
    );
    const moved = await page.locator("#batches .body .row").nth(8).getAttribute("id");
    const rows = Number(moved.split("-")[1]) - Number(before.split("-")[1]);
    assert.ok(rows >= 3 && rows <= 8, `the wheel moved ${rows} rows instead of 5`);

    await page.locator("#search").fill(String(made.middle));
    await page.keyboard.press("Enter");
    await page
      .locator("#records .row.selected .offsets", { hasText: new RegExp(`^${made.middle}$`) })
      .waitFor();

    await page.getByLabel("Search by", { exact: true }).selectOption("key");
    await page.locator("#search").fill("no such key");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Stop/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });

    clearInterval(watch);
    context.diagnostic(
      `${(made.size / 1e9).toFixed(2)} GB, ${made.batches} batches, ${made.records} records: read in ` +
        `${(took / 1000).toFixed(1)} s, a click meanwhile answered in ${answered.toFixed(0)} ms, ` +
        `renderer ${(atFirst / 1e6).toFixed(0)} MB at first, ${(peak / 1e6).toFixed(0)} MB at most`,
    );
    assert.ok(peak - atFirst < MOST_ADDED, `${peak - atFirst} bytes more than at first`);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  },
);

test("reading can be stopped, and what was read stays", { skip, timeout: 60_000 }, async () => {
  const page = await chromium.page();
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("o");
  await (await chooser).setFiles(made.path);
  await page.locator("#batches-10").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".status", { hasText: "Stopped before the end" }).waitFor();
  await page.locator("#batches-10").click();
  await page.locator("#records .row").first().waitFor();
  await page.context().close();
});
