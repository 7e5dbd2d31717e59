/** What a reader does with an open log: errors, search, transactions, the dump, the keyboard. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { compress, crc32c, encodeRecords } from "kcodec";
import { expected, hostile, openFiles, segment, start } from "./page.mjs";

let chromium;
before(async () => (chromium = await start()));
after(() => chromium.stop());

const CORRUPT = "B019a_corrupt_middle_then_good.bin";

async function opened(options, ...paths) {
  const page = await chromium.page(options);
  await openFiles(page, ...paths);
  return page;
}

async function find(page, by, text) {
  await page.getByLabel("Search by", { exact: true }).selectOption({ label: by });
  await page.locator("#search").fill(text);
  await page.keyboard.press("Enter");
}

const selectedRecord = (page) => page.locator("#records .row.selected .offsets");
const reading = (page) => page.locator(".reading");

test("a corrupt batch is marked, and its neighbours are read", async () => {
  const page = await opened({}, hostile(CORRUPT));
  const faulty = await page
    .locator("#batches .body .row")
    .evaluateAll((rows) => rows.map((row) => row.classList.contains("faulty")));
  assert.deepEqual(faulty, [false, true, false]);
  assert.equal(await page.locator(".figures .fault dd").textContent(), "1");
  assert.equal(await page.locator(".legend", { hasText: "error" }).count(), 1);

  await page.locator("#batches-1").click();
  const problem = page.locator(".problem");
  assert.match(await problem.textContent(), /CRC_MISMATCH.*byte 135 of the file/);
  await problem.getByRole("button").click();
  const fault = page.locator(".cells .at-fault");
  assert.equal(await fault.getAttribute("data-byte"), "17");
  assert.match(await reading(page).textContent(), /CRC-32C.*byte 135/);

  await page.getByRole("tab", { name: "Records" }).click();
  await page.getByText("Read in spite of the wrong checksum.").waitFor();
  assert.equal(await page.locator("#records .body .row").count(), 3);

  await page.locator("#batches-2").click();
  await page.getByText("Read in spite of the wrong checksum.").waitFor({ state: "detached" });
  await selectedRecord(page).getByText("6", { exact: true }).waitFor();
  assert.equal(await page.locator("#records .body .row").count(), 3);
  await page.context().close();
});

/** A gzip batch of three records with right checksums, in which the second record's length is a lie. */
function lyingBatch() {
  const records = [1, 2, 3].map((i) => ({ key: `key-${i}`, value: `value-${i}`, timestamp: i }));
  const plain = encodeRecords(records);
  const payload = plain.slice(61);
  const second = 1 + (payload[0] >> 1);
  payload[second] += 2;
  const packed = compress("gzip", payload);
  const batch = Buffer.concat([plain.subarray(0, 61), packed]);
  batch.writeInt32BE(batch.length - 12, 8);
  batch.writeInt16BE(1, 21);
  batch.writeUInt32BE(crc32c(batch.subarray(21)), 17);
  return { batch, second };
}

test("an error inside compressed records points into them", async () => {
  const { batch, second } = lyingBatch();
  const file = { name: "lie.log", mimeType: "application/octet-stream", buffer: batch };
  const page = await opened({}, file);
  const problem = page.locator(".problem");
  await problem.waitFor();
  assert.match(await problem.textContent(), /RECORD_LENGTH.*byte \d+ of the decompressed records/);
  await problem.getByRole("button").click();
  await page.locator(".sides button[aria-pressed=true]", { hasText: "Decompressed" }).waitFor();
  const byte = Number(await page.locator(".cells .at-fault").getAttribute("data-byte"));
  assert.ok(byte >= second && byte < second * 2 + 1, `byte ${byte} is not in the second record`);
  await page.context().close();
});

test("a batch that could not be decompressed has no ratio", async () => {
  const batch = Buffer.from(encodeRecords([{ value: "x".repeat(5000) }], { codec: "gzip" }));
  const good = Buffer.from(batch);
  batch[70] ^= 1;
  const buffer = Buffer.concat([good, batch]);
  const page = await opened({}, { name: "a.log", mimeType: "application/octet-stream", buffer });
  const ratios = await page.locator("#batches .body .row > :nth-child(5)").allTextContents();
  assert.match(ratios[0], /×$/);
  assert.equal(ratios[1], "");
  const figure = page.locator(".figures div", { hasText: "ratio" }).locator("dd");
  assert.equal(await figure.textContent(), ratios[0]);
  await page.locator("#batches-1").click();
  assert.match(await page.locator(".legend .caption").textContent(), / of gzip$/);
  await page.context().close();
});

test("flags and errors are in sight in a narrow table", async () => {
  const page = await opened({ viewport: { width: 1024, height: 700 } }, hostile(CORRUPT));
  const { x, width } = await page.locator("#batches").boundingBox();
  const cells = await page.locator("#batches .flags").all();
  assert.ok(cells.length > 0);
  for (const cell of cells) {
    const box = await cell.boundingBox();
    assert.ok(box.x + box.width <= x + width, `${box.x + box.width} > ${x + width}`);
  }
  assert.equal(
    await page.locator("#batches").evaluate((grid) => grid.scrollWidth - grid.clientWidth),
    0,
  );
  await page.context().close();
});

test("bytes that are no batch are rows of their own", async () => {
  const page = await opened({}, segment("preallocated-0.log"));
  const gap = page.locator("#batches .row.gap");
  assert.match(await gap.textContent(), /^Zeros, .* at byte/);
  await gap.click();
  await page.getByRole("tab", { name: "Bytes" }).click();
  await page.locator(".cells .unread").first().waitFor();
  await page.context().close();
});

test("an offset, a time and a key are found", async () => {
  const page = await opened({ timezoneId: "Asia/Kolkata" }, segment("java_lz4-0.log"));
  const records = expected("java_lz4-0.log").flatMap((batch) => batch.records);

  await find(page, "Offset", "77");
  await selectedRecord(page).getByText("77", { exact: true }).waitFor();
  await find(page, "Offset", "5000");
  await page.locator(".complaint", { hasText: "all offsets are below" }).waitFor();

  const later = records[50];
  const utc = new Date(later.timestamp).toISOString().replace("T", " ").replace("Z", "");
  await find(page, "Time", utc);
  await selectedRecord(page).getByText(String(later.offset), { exact: true }).waitFor();
  await page.locator("#batches").focus();
  await page.keyboard.press("t");
  const local = new Date(later.timestamp + 5.5 * 3600_000)
    .toISOString()
    .replace("T", " ")
    .replace("Z", "");
  assert.equal(await page.locator("#records .row.selected .time").textContent(), local);
  await find(page, "Offset", "0");
  await find(page, "Time", local);
  await selectedRecord(page).getByText(String(later.offset), { exact: true }).waitFor();

  const key = Buffer.from(records[3].key_base64, "base64");
  const wanted = records
    .filter((record) => record.key_base64 === records[3].key_base64)
    .map(({ offset }) => offset);
  assert.ok(wanted.length > 1);
  await find(page, "Key", key.toString());
  await page.locator("#search-result", { hasText: `1 of ${wanted.length}` }).waitFor();
  for (const offset of wanted) {
    await selectedRecord(page).getByText(String(offset), { exact: true }).waitFor();
    await page.getByRole("button", { name: "Next hit" }).click();
  }
  await page.locator("#search-result", { hasText: `1 of ${wanted.length}` }).waitFor();

  await find(page, "Key", `0x${key.toString("hex")}`);
  await page.locator("#search-result", { hasText: `1 of ${wanted.length}` }).waitFor();
  await find(page, "Key", "no such key");
  await page.locator(".complaint", { hasText: "no record has this key" }).waitFor();
  await page.getByLabel("part of it").check();
  const parts = records.filter((record) =>
    Buffer.from(record.key_base64 ?? "", "base64").includes("1"),
  ).length;
  await find(page, "Key", "1");
  await page.locator("#search-result", { hasText: `1 of ${parts}` }).waitFor();
  await page.context().close();
});

test("a transaction is followed from its first record to its marker", async () => {
  const page = await opened({}, segment("java_txn-15.log"));
  await page.getByRole("tab", { name: "Transactions" }).click();
  const list = await page
    .locator("#transactions .body .row")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(list, [
    ["1/1", "committed", "15", "0", "0"],
    ["2/1", "aborted", "16", "0", "0"],
    ["1/1", "aborted", "17", "1", "3"],
    ["2/1", "committed", "21", "1", "4"],
    ["1/2", "committed", "26", "1", "2"],
  ]);
  await page.locator("#transactions-2").click();
  const steps = page.locator(".steps li");
  assert.deepEqual(await steps.allTextContents(), ["17–19 3 records", "20 ABORT marker"]);
  await steps.nth(1).getByRole("button").click();
  assert.equal(await page.locator("#batches .row.cursor .offsets").textContent(), "20");

  await page.getByLabel("Show as read_committed").check();
  const dimmed = await page
    .locator("#batches .body .row")
    .evaluateAll((rows) => rows.map((row) => row.classList.contains("dimmed")));
  assert.deepEqual(dimmed, [true, true, true, true, false, true, false, true]);
  await page.context().close();
});

test("an open transaction holds back what follows it", async () => {
  const page = await opened({}, segment("java_txn_open-0.log"), segment("java_txn_open-15.log"));
  await page.getByRole("tab", { name: "Transactions" }).click();
  await page
    .getByText("1 transaction without a marker in these files. Last stable offset 26")
    .waitFor();
  const outcomes = await page.locator("#transactions .body .row > :nth-child(2)").allTextContents();
  assert.deepEqual(outcomes, ["committed", "aborted", "aborted", "committed", "open"]);
  await page.keyboard.press("Escape");
  await page.locator("#batches").focus();
  await page.keyboard.press("c");
  const kept = await page.locator("#batches .body .row:not(.dimmed) .offsets").allTextContents();
  assert.deepEqual(kept, ["0–4", "12", "21–24"]);
  await page.context().close();
});

test("the dump names every field of a batch, in the file and decompressed", async () => {
  const page = await opened({}, segment("java_gzip-0.log"));
  await page.locator("#batches").focus();
  await page.keyboard.press("h");
  await page.locator(".lines").waitFor();
  await page.keyboard.press("Home");
  const [batch] = expected("java_gzip-0.log");
  const header = [
    ["base offset", String(batch.base_offset)],
    ["batch length", `${batch.size - 12} bytes follow`],
    ["partition leader epoch", String(batch.leader_epoch)],
    ["magic", "2"],
    ["CRC-32C", `0x${batch.crc.toString(16).padStart(8, "0")}`],
    ["attributes", "gzip"],
    ["last offset delta", String(batch.last_offset - batch.base_offset)],
    ["base timestamp", String(batch.base_timestamp)],
    ["max timestamp", String(batch.max_timestamp)],
    ["producer id", String(batch.producer_id)],
    ["producer epoch", String(batch.producer_epoch)],
    ["base sequence", String(batch.base_sequence)],
    ["record count", String(batch.declared_count)],
    ["compressed records", `${batch.size - 61} bytes`],
  ];
  for (const [name, value] of header) {
    await reading(page)
      .locator(".tone", { hasText: new RegExp(`^${name}$`) })
      .waitFor();
    assert.ok((await reading(page).locator("b").textContent()).startsWith(value), name);
    await page.keyboard.press("ArrowRight");
  }
  await page.locator(".sides button", { hasText: "Decompressed" }).click();
  const key = Buffer.from(batch.records[0].key_base64, "base64").toString();
  await page.locator(".texts .key").first().hover();
  assert.match(await reading(page).textContent(), new RegExp(`^key ${key} record 0`));
  await page.context().close();
});

test("everything is done from the keyboard", async () => {
  const page = await chromium.page();
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("o");
  await (await chooser).setFiles(segment("java_snappy-0.log"));
  await page.locator("#batches-0").waitFor();
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("2 entries selected").waitFor();
  await page.keyboard.press("ArrowUp");
  const current = await page.locator("#batches").getAttribute("aria-activedescendant");
  assert.equal(current, "batches-2");
  await page.keyboard.press("Enter");
  await page.locator("#records:focus").waitFor();
  await page.keyboard.press("ArrowDown");
  const batch = expected("java_snappy-0.log")[2];
  await selectedRecord(page).getByText(String(batch.records[1].offset), { exact: true }).waitFor();

  await page.keyboard.press("/");
  await page.locator("#search:focus").waitFor();
  await page.keyboard.type("3");
  await page.keyboard.press("Enter");
  await selectedRecord(page).getByText("3", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#batches:focus").waitFor();
  for (const [key, selector] of [
    ["h", ".lines:focus"],
    ["r", "#records:focus"],
  ]) {
    await page.keyboard.press(key);
    await page.locator(selector).waitFor();
  }
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.getByRole("slider").focus();
  await page.keyboard.press("End");
  const last = expected("java_snappy-0.log").at(-1);
  await page.locator("#batches .row.cursor", { hasText: String(last.base_offset) }).waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a click in the picture goes to the batch under it", async () => {
  const page = await opened({}, segment("java_none-0.log"));
  const plot = page.getByRole("slider");
  const { width, height } = await plot.boundingBox();
  const batches = expected("java_none-0.log");
  const total = batches.at(-1).position + batches.at(-1).size;
  for (const wanted of [4, 0, 2]) {
    const { position, size } = batches[wanted];
    await plot.click({ position: { x: ((position + size / 2) / total) * width, y: height / 2 } });
    assert.equal(
      await page.locator("#batches").getAttribute("aria-activedescendant"),
      `batches-${wanted}`,
    );
  }
  await page.context().close();
});

test("what the reader chose is kept", async () => {
  const page = await opened({}, segment("java_none-0.log"));
  await page.getByLabel("Colours").selectOption("dark");
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.context().close();
});
