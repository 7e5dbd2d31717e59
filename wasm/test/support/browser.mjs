// A headless Chromium, and a server for it that knows a few folders.

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const executablePath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path && existsSync(path),
);

/** Why tests in a browser cannot run here, or false. */
export const noBrowser = executablePath ? false : "no chromium (apt-get install chromium, or CHROMIUM=its path)";

const types = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

/** Serves `folders`, a map from the first part of a path to a folder; `/list/…` gives the names in one. */
export async function serve(folders, page = "<!doctype html><title>kcodec</title>") {
  const pathOf = (url) => {
    const [, first, ...rest] = normalize(decodeURIComponent(url)).split("/");
    return first in folders ? join(folders[first], ...rest) : null;
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    try {
      if (pathname === "/") return response.setHeader("Content-Type", "text/html").end(page);
      if (pathname.startsWith("/list/")) return response.end(JSON.stringify(await readdir(pathOf(pathname.slice(5)))));
      const bytes = await readFile(pathOf(pathname));
      response.setHeader("Content-Type", types[extname(pathname)] ?? "application/octet-stream").end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** Opens a page, calls `use` with it, and fails on errors that the page met. */
export async function withPage(url, use) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error));
    await page.goto(url);
    const result = await use(page);
    if (errors.length > 0) throw errors[0];
    return result;
  } finally {
    await browser.close();
  }
}
