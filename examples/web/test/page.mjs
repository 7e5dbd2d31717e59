/** Serves the built page on the loopback, under a path of some depth, and opens it in Chromium. */

import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const VECTORS = fileURLToPath(new URL("../../../vectors", import.meta.url));
const PREFIX = "/tools/kafka";
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

export const segment = (name) => join(VECTORS, "segments", name);
export const hostile = (name) => join(VECTORS, "cases", name);

/** The lines that Kafka's own classes read in a segment, without the last one about the file. */
export function expected(name) {
  const lines = readFileSync(`${segment(name)}.expected.jsonl`, "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line)).filter((line) => "position" in line);
}

async function serve() {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const file = join(
      DIST,
      path.slice(PREFIX.length) || "/",
      path.endsWith("/") ? "index.html" : "",
    );
    if (!path.startsWith(`${PREFIX}/`) || !file.startsWith(DIST) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${PREFIX}/`,
    close: () => server.close(),
  };
}

/**
 * Everything a test needs; `requests` and `problems` are what the page asked for and complained
 * about.
 */
export async function start() {
  const server = await serve();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--enable-precise-memory-info"],
  });
  return {
    browser,
    async page(options = {}) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        permissions: ["clipboard-read", "clipboard-write"],
        ...options,
      });
      const page = await context.newPage();
      page.requests = [];
      page.problems = [];
      page.on("request", (request) => page.requests.push(request.url()));
      page.on("pageerror", (error) => page.problems.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error") page.problems.push(message.text());
      });
      // choosers are caught from the first listener on, which takes a moment to be known to the browser
      page.on("filechooser", () => {});
      await page.goto(server.url);
      await page.locator("header").waitFor();
      return page;
    },
    url: server.url,
    async stop() {
      await browser.close();
      server.close();
    },
  };
}

/** Opens files by the button, and waits until they are read. */
export async function openFiles(page, ...paths) {
  const chooser = page.waitForEvent("filechooser");
  await page.locator("header button", { hasText: "Open" }).click();
  await (await chooser).setFiles(paths);
  await page.locator(".status", { hasText: /batch|empty|Stopped|Could not/ }).waitFor();
  await page.locator(".reading-bar").waitFor({ state: "detached" });
}

/** A count as the page writes it. */
export const integerText = (count) => count.toLocaleString("en").replaceAll(",", "\u202f");

/** A size as the page writes it. */
export function bytesText(count) {
  const units = ["B", "kB", "MB", "GB"];
  let unit = 0;
  let scaled = count;
  while (scaled >= 999.5) {
    scaled /= 1000;
    unit++;
  }
  return `${unit === 0 ? count : scaled.toPrecision(3)} ${units[unit]}`;
}
