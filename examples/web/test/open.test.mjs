/**
 * Real segments are opened in Chromium, and what the page shows and saves is what Kafka reads in
 * them.
 */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encodeRecords } from "kcodec";
import { bytesText, expected, openFiles, segment, start } from "./page.mjs";

let chromium;
before(async () => (chromium = await start()));
after(() => chromium.stop());

const SEGMENTS = readdirSync(segment("")).filter((name) => name.endsWith(".log"));
/** So many rows are drawn without scrolling. */
const IN_SIGHT = 20;

async function saveAll(page, button) {
  await page.locator("#batches").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button, exact: true }).click();
  const path = await (await download).path();
  return readFileSync(path);
}

const digitsOf = (text) => Number(text.replace(/\D/g, ""));

const bytesOf = (line, name) => {
  if (line[name] === null) return null;
  return line[name] === undefined
    ? line[`${name}_base64`]
    : Buffer.from(line[name]).toString("base64");
};

// one page opens them all, so that opening once more is tested too
let shared;

for (const name of SEGMENTS) {
  test(`${name}: batches and records`, async () => {
    shared ??= await chromium.page();
    const page = shared;
    await openFiles(page, segment(name));
    await page.locator(".name", { hasText: name }).waitFor();
    const batches = expected(name);

    const rows = await page
      .locator("#batches .body .row:not(.gap)")
      .evaluateAll((elements) =>
        elements.map((row) => [...row.children].map((cell) => cell.textContent)),
      );
    for (const [i, batch] of batches.slice(0, IN_SIGHT).entries()) {
      const offsets = [...new Set([batch.base_offset, batch.last_offset])].join("–");
      const [shown, count, codec, size, , , , , crc] = rows[i];
      const wanted = [offsets, batch.records.length, batch.codec, bytesText(batch.size)];
      assert.deepEqual([shown, digitsOf(count), codec, size], wanted, `row ${i}`);
      assert.equal(crc, batch.crc.toString(16).padStart(8, "0"), `row ${i}`);
    }

    const records = batches.flatMap((batch) => batch.records);
    const figures = await page.locator(".figures dd").allTextContents();
    assert.deepEqual(figures.slice(0, 2).map(digitsOf), [batches.length, records.length]);
    assert.equal(figures.at(-1), "0");

    const lines = (await saveAll(page, "Save JSONL")).toString("utf8").split("\n").filter(Boolean);
    const saved = lines.map((line) => JSON.parse(line));
    const plain = (record, key, value, headers) => ({
      offset: record.offset,
      timestamp: record.timestamp,
      key,
      value,
      headers,
    });
    const found = saved.map((record) =>
      plain(
        record,
        bytesOf(record, "key"),
        bytesOf(record, "value"),
        record.headers.map((header) => [bytesOf(header, "key"), bytesOf(header, "value")]),
      ),
    );
    const wanted = records.map((record) =>
      plain(
        record,
        record.key_base64,
        record.value_base64,
        record.headers.map(({ key, value_base64: value }) => [
          Buffer.from(key).toString("base64"),
          value,
        ]),
      ),
    );
    assert.deepEqual(found, wanted);
    assert.deepEqual(page.problems, []);
  });
}

test("raw batches are saved as they stand in the file", async () => {
  const page = await chromium.page();
  await openFiles(page, segment("mixed_magic-0.log"));
  assert.deepEqual(await saveAll(page, "Save raw"), readFileSync(segment("mixed_magic-0.log")));
  await page.locator("#batches-2").click();
  await page.getByRole("button", { name: "Copy hex", exact: true }).click();
  const [, , third] = expected("mixed_magic-0.log");
  const raw = readFileSync(segment("mixed_magic-0.log")).subarray(
    third.position,
    third.position + third.size,
  );
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), raw.toString("hex"));
  await page.context().close();
});

test("the segments of a partition are put in order", async () => {
  const page = await chromium.page();
  await openFiles(page, segment("java_txn-15.log"), segment("java_txn-0.log"));
  const offsets = await page.locator("#batches .body .row .offsets").allTextContents();
  const wanted = [...expected("java_txn-0.log"), ...expected("java_txn-15.log")];
  assert.deepEqual(
    offsets.map((text) => Number(text.split("–")[0])),
    wanted.map((batch) => batch.base_offset),
  );
  await page.context().close();
});

test("the example shows every codec, an aborted transaction and an open one", async () => {
  const page = await chromium.page();
  await page.getByRole("button", { name: "Look at an example" }).click();
  await page.locator(".status", { hasText: "14 batches, 404 records, no errors" }).waitFor();
  const codecs = await page.locator("#batches .body .codec").allTextContents();
  assert.deepEqual(new Set(codecs), new Set(["none", "gzip", "snappy", "lz4", "zstd"]));
  await page.getByRole("tab", { name: "Transactions" }).click();
  const outcomes = await page.locator("#transactions .body .row > :nth-child(2)").allTextContents();
  assert.deepEqual(outcomes, ["committed", "aborted", "open"]);
  await page.context().close();
});

test("the index files of a partition are left out", async () => {
  const page = await chromium.page();
  await openFiles(page, segment("java_txn-15.txnindex"), segment("java_txn-15.log"));
  assert.equal(await page.locator(".name").textContent(), "java_txn-15.log");
  assert.equal(await page.locator("#batches .body .row").count(), 8);
  await page.context().close();
});

test("a record is shown as text, as JSON and in hex, with its headers", async () => {
  const page = await chromium.page();
  await openFiles(page, segment("java_zstd-0.log"));
  const [record] = expected("java_zstd-0.log")[0].records;
  const value = Buffer.from(record.value_base64, "base64").toString();
  const content = page.locator(".content pre").nth(1);
  const as = (name) => page.getByRole("radio", { name, exact: true }).check();
  await as("Text");
  assert.equal(await content.textContent(), value);
  await as("JSON");
  assert.match(await content.textContent(), /^\{\n  "order": 100000,\n/);
  await as("Hex");
  const hex = (await content.textContent())
    .split("\n")
    .map((line) => line.slice(8, 55).replaceAll(" ", ""))
    .join("");
  assert.equal(hex, Buffer.from(value).toString("hex"));
  await as("Auto");
  assert.deepEqual(
    await page.locator(".headers th").allTextContents(),
    record.headers.map(({ key }) => key),
  );
  await page.getByRole("button", { name: "Copy value" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), value);
  await page.context().close();
});

test("hex and base64 are opened when pasted", async () => {
  const page = await chromium.page();
  const bytes = readFileSync(segment("java_single-0.log"));
  await page.getByRole("button", { name: "Paste bytes" }).click();
  await page.locator("#pasted").fill("these are no bytes");
  await page.getByRole("button", { name: "Open", exact: true }).last().click();
  await page.getByText("This is neither hex nor base64.").waitFor();
  await page.locator("#pasted").fill(bytes.toString("hex").match(/../g).join(" "));
  await page.getByRole("button", { name: "Open", exact: true }).last().click();
  await page.locator(".name", { hasText: "pasted hex" }).waitFor();
  await page.locator("#batches-9").waitFor();

  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    readFileSync(segment("java_txn-15.log")).toString("base64"),
  );
  await page.locator("#batches").focus();
  await page.keyboard.press("Control+V");
  await page.locator(".name", { hasText: "pasted base64" }).waitFor();
  await page.locator("#batches .body .row").nth(7).waitFor();
  await page.context().close();
});

test("a dropped file is opened", async () => {
  const page = await chromium.page();
  const data = readFileSync(segment("java_single-0.log")).toString("base64");
  await page.evaluate((base64) => {
    const transfer = new DataTransfer();
    transfer.items.add(
      new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], "dropped.log"),
    );
    for (const type of ["dragenter", "dragover", "drop"]) {
      document.body.dispatchEvent(
        new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }),
      );
    }
  }, data);
  await page.locator(".name", { hasText: "dropped.log" }).waitFor();
  await page.locator("#batches-0").waitFor();
  await page.context().close();
});

test("the folder of a partition is opened when it is dropped, and so is text", async () => {
  const page = await chromium.page();
  const work = mkdtempSync(join(tmpdir(), "kcodec-web-"));
  const folder = join(work, "orders-0");
  mkdirSync(join(folder, "inner"), { recursive: true });
  for (const name of ["java_txn-0.log", "java_txn-15.log", "java_txn-15.txnindex"])
    cpSync(segment(name), join(folder, name));
  cpSync(segment("java_lz4-0.log"), join(folder, "inner", "other.log"));
  const browser = await page.context().newCDPSession(page);
  const drop = async (data) => {
    for (const type of ["dragEnter", "dragOver", "drop"])
      await browser.send("Input.dispatchDragEvent", {
        ...{ type, x: 300, y: 300 },
        data: { items: [], dragOperationsMask: 1, ...data },
      });
  };
  try {
    await drop({ files: [folder] });
    await page.locator(".name", { hasText: "java_txn-0.log and 1 more" }).waitFor();
    const batches = ["java_txn-0.log", "java_txn-15.log"].flatMap(expected).length;
    await page.locator(".status", { hasText: `${batches} batches` }).waitFor();
  } finally {
    rmSync(work, { recursive: true });
  }
  const text = (data) => ({ items: [{ mimeType: "text/plain", data }] });
  await drop(text(readFileSync(segment("java_single-0.log")).toString("hex")));
  await page.locator(".name", { hasText: "pasted hex" }).waitFor();
  await drop(text("what is this?"));
  await page.locator(".status", { hasText: "neither hex nor base64" }).waitFor();
  await page.context().close();
});

test("an empty file, and one without a batch, are said to be that", async () => {
  const page = await chromium.page();
  const file = (name, buffer) => ({ name, mimeType: "application/octet-stream", buffer });
  await openFiles(page, file("empty.log", Buffer.alloc(0)));
  await page.locator(".status", { hasText: "The file is empty" }).waitFor();
  await page.locator(".pane", { hasText: "There is nothing in the file." }).waitFor();
  assert.equal(await page.locator(".detail").getAttribute("aria-busy"), "false");
  await openFiles(page, file("letter.txt", Buffer.from("Dear reader, ".repeat(100))));
  await page.locator(".status", { hasText: "No batch was found" }).waitFor();
  await openFiles(page, segment("java_wide-0.log"));
  assert.equal(
    await page.locator(".status").textContent(),
    "1 batch, 5\u202f000 records, no errors",
  );
  await page.context().close();
});

test("a file that is gone is told, and what is open stays", async () => {
  const page = await chromium.page();
  await openFiles(page, segment("java_single-0.log"));
  const work = mkdtempSync(join(tmpdir(), "kcodec-web-"));
  const path = join(work, "gone.log");
  cpSync(segment("java_lz4-0.log"), path);
  await openFiles(page, path);
  rmSync(work, { recursive: true });
  await page.locator("#search").fill("77");
  await page.keyboard.press("Enter");
  await page.locator(".complaint", { hasText: "could not read" }).waitFor();
  await page.getByRole("button", { name: "Save JSONL" }).click();
  await page.locator(".status", { hasText: "Could not save" }).waitFor();
  assert.deepEqual(
    page.problems.filter((problem) => !/net::ERR/.test(problem)),
    [],
  );
  await page.context().close();
});

test("a long value is shown from its start", async () => {
  const page = await chromium.page();
  const value = JSON.stringify({ text: "x".repeat(1 << 20) });
  const buffer = Buffer.from(encodeRecords([{ value }], { codec: "lz4" }));
  await openFiles(page, { name: "long.log", mimeType: "application/octet-stream", buffer });
  const shown = page.locator(".content pre");
  assert.equal(await shown.textContent(), `${value.slice(0, 1 << 18)}\n…`);
  await page.getByRole("radio", { name: "JSON", exact: true }).check();
  assert.equal(await shown.textContent(), "too long to be indented");
  await page.getByRole("button", { name: "Copy value" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), value);
  await page.context().close();
});

test("the page asks for nothing but its own files, and its policy forbids more", async () => {
  const page = await chromium.page();
  await page.getByText("Nothing leaves this machine.").waitFor();
  await openFiles(page, segment("java_lz4-0.log"));
  const foreign = page.requests.filter(
    (url) => !url.startsWith(chromium.url) && !url.startsWith("blob:"),
  );
  assert.deepEqual(foreign, []);
  const outcome = await page.evaluate(() =>
    fetch("https://example.invalid/", { mode: "no-cors" }).then(
      () => "sent",
      (error) => error.name,
    ),
  );
  assert.equal(outcome, "TypeError");
  assert.match(page.problems.join("\n"), /Content Security Policy/);
  await page.context().close();
});
