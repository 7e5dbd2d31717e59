/** axe-core finds nothing in any view, light, dark and narrow; nothing sticks out at 360 pixels. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { hostile, openFiles, segment, start } from "./page.mjs";

let chromium;
before(async () => (chromium = await start()));
after(() => chromium.stop());

const LOOKS = {
  light: {},
  dark: { colorScheme: "dark" },
  "one pane": { viewport: { width: 820, height: 1000 } },
  "narrow light": { viewport: { width: 360, height: 740 } },
  "narrow dark": { viewport: { width: 360, height: 740 }, colorScheme: "dark" },
};

const VIEWS = {
  welcome: async () => {},
  batches: async (page) => {
    await openFiles(page, segment("mixed_magic-0.log"));
    await page.keyboard.press("b");
  },
  records: async (page) => {
    await openFiles(page, segment("java_none-0.log"));
    await page.keyboard.press("r");
    await page.locator(".record").waitFor();
  },
  bytes: async (page) => {
    await openFiles(page, segment("java_zstd-0.log"));
    await page.keyboard.press("h");
    await page.locator(".sides button").nth(1).click();
  },
  "an error": async (page) => {
    await openFiles(page, hostile("B019a_corrupt_middle_then_good.bin"));
    await page.locator("#batches-1").click();
    await page.keyboard.press("h");
  },
  transactions: async (page) => {
    await openFiles(page, segment("java_txn_open-0.log"), segment("java_txn_open-15.log"));
    await page.keyboard.press("c");
    await page.keyboard.press("x");
    await page.locator("#transactions-1").click();
  },
  "a search": async (page) => {
    await openFiles(page, segment("java_none-0.log"));
    await page.getByLabel("Search by", { exact: true }).selectOption("key");
    await page.locator("#search").fill("k1");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Next hit" }).waitFor();
  },
  paste: (page) => page.keyboard.press("p"),
  help: (page) => page.keyboard.press("?"),
};

for (const [look, options] of Object.entries(LOOKS)) {
  for (const [view, go] of Object.entries(VIEWS)) {
    test(`${view}, ${look}`, async () => {
      const page = await chromium.page(options);
      await go(page);
      await page.waitForTimeout(150);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join("\n    ")}`,
      );
      assert.deepEqual(found, []);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} pixels stick out`);
      await page.context().close();
    });
  }
}

test("nothing moves for those who ask for that", async () => {
  const page = await chromium.page({ reducedMotion: "reduce" });
  await openFiles(page, segment("java_none-0.log"));
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll("*")].filter(
        (element) => getComputedStyle(element).transitionDuration !== "0s",
      ).length,
  );
  assert.equal(moving, 0);
  await page.context().close();
});
