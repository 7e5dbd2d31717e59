// The tarball that would be published, installed in small projects of every kind that people have.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import webpack from "webpack";
import { noBrowser, serve, withPage } from "./support/browser.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = join(root, "test/packaging");
const tools = join(root, "node_modules/.bin");
const answer = "7 hello from kcodec";
const work = mkdtempSync(join(tmpdir(), "kcodec-packaging-"));
let tarball;

before(async () => {
  await run("npm", ["pack", "--silent", "--pack-destination", work], { cwd: root });
  tarball = join(work, readdirSync(work).find((name) => name.endsWith(".tgz")));
});
after(() => rmSync(work, { recursive: true }));

async function run(command, args, options) {
  try {
    const { stdout } = await promisify(execFile)(command, args, options);
    return stdout.trim();
  } catch (error) {
    throw new Error(`${command} ${args.join(" ")}\n${error.stdout}\n${error.stderr}`);
  }
}

/** A folder with the package installed and a copy of the sources in it. */
async function project(name, type = "module") {
  const folder = join(work, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, type, private: true }));
  await run("npm", ["install", "--silent", "--offline", "--no-audit", "--no-fund", tarball], { cwd: folder });
  for (const file of readdirSync(sources)) cpSync(join(sources, file), join(folder, file));
  return folder;
}

/** What the page in `folder` ends up with as its title. */
async function titleOf(folder) {
  const server = await serve(Object.fromEntries(readdirSync(folder).map((name) => [name, join(folder, name)])));
  try {
    return await withPage(`${server.url}index.html`, async (page) => {
      await page.waitForFunction(() => document.title !== "not yet", null, { timeout: 20_000 });
      return page.title();
    });
  } finally {
    server.close();
  }
}

test("Node, ES modules", async () => {
  const folder = await project("node-esm");
  for (const file of ["node.mjs", "slim.mjs", "inline.mjs"]) {
    assert.equal(await run("node", [file], { cwd: folder }), answer, file);
  }
});

test("Node, CommonJS", async () => {
  const folder = await project("node-cjs", "commonjs");
  assert.equal(await run("node", ["common.cjs"], { cwd: folder }), answer);
});

test("esbuild, one file run in an empty folder", async () => {
  const folder = await project("esbuild");
  const empty = join(work, "empty");
  mkdirSync(empty);
  const outfile = join(empty, "bundle.mjs");
  const entryPoints = [join(folder, "inline.mjs")];
  await esbuild({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  assert.deepEqual(readdirSync(empty), ["bundle.mjs"]);
  assert.equal(await run("node", ["bundle.mjs"], { cwd: empty }), answer);
});

test("a plain page", { skip: noBrowser }, async () => {
  const folder = await project("page");
  // The page's import map does not reach into its worker.
  const worker = readFileSync(join(sources, "worker.mjs"), "utf8");
  writeFileSync(join(folder, "worker.mjs"), worker.replace('"kcodec"', '"/node_modules/kcodec/dist/web.js"'));
  assert.equal(await titleOf(folder), answer);
});

test("Vite", { skip: noBrowser, timeout: 120_000 }, async () => {
  const folder = await project("vite");
  await vite({ root: folder, base: "./", logLevel: "error", build: { target: "es2022" }, worker: { format: "es" } });
  const assets = readdirSync(join(folder, "dist/assets"));
  assert.equal(assets.filter((name) => name.endsWith(".wasm")).length, 1, assets.join(" "));
  assert.equal(await titleOf(join(folder, "dist")), answer);
});

test("webpack", { skip: noBrowser, timeout: 120_000 }, async () => {
  const folder = await project("webpack");
  const config = {
    context: folder,
    mode: "production",
    entry: "./page.mjs",
    output: { path: join(folder, "out"), filename: "page.js", publicPath: "auto" },
    performance: false,
  };
  const stats = await promisify(webpack)(config);
  assert.ok(!stats.hasErrors(), stats.toString());
  writeFileSync(join(folder, "out/index.html"), '<!doctype html><title>not yet</title><script src="page.js"></script>');
  const modules = readdirSync(join(folder, "out")).filter((name) => name.endsWith(".wasm"));
  assert.equal(modules.length, 1, modules.join(" "));
  assert.equal(await titleOf(join(folder, "out")), answer);
});

test("workerd, which may not compile", { timeout: 60_000 }, async () => {
  const folder = await project("workerd");
  await esbuild({
    entryPoints: [join(folder, "workerd.mjs")],
    outfile: join(folder, "out/main.mjs"),
    bundle: true,
    format: "esm",
    conditions: ["workerd"],
    external: ["*.wasm"],
    logLevel: "error",
  });
  const args = ["serve", "workerd.capnp", "--control-fd=3"];
  const process = spawn(join(tools, "workerd"), args, { cwd: folder, stdio: ["ignore", "inherit", "inherit", "pipe"] });
  try {
    const [message] = await once(process.stdio[3], "data");
    const { port } = JSON.parse(message);
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), answer);
  } finally {
    process.kill();
  }
});

test("the declarations, for every way to find them and with few others", { timeout: 120_000 }, async () => {
  const folder = await project("types");
  cpSync(join(folder, "usage.ts"), join(folder, "usage.cts"));
  const strict = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"];
  const check = (files, module, lib, types) => {
    const args = [...strict, "--target", "es2022", "--lib", lib, "--types", types, ...module, ...files];
    return run(join(tools, "tsc"), [...args, "--typeRoots", join(root, "node_modules/@types")], { cwd: folder });
  };
  const nodenext = ["--module", "nodenext"];
  const bundler = ["--module", "esnext", "--moduleResolution", "bundler"];
  await check(["usage.ts", "usage.cts", "usage-dom.ts"], nodenext, "es2022,dom", "");
  await check(["usage.ts", "usage-dom.ts"], bundler, "es2022,dom", "");
  await check(["usage.ts"], nodenext, "es2022", "node");
  await check(["usage.ts"], nodenext, "es2022", "");
});

test("publint", async () => {
  const { publint } = await import("publint");
  const { messages } = await publint({ pkgDir: root, strict: true });
  assert.deepEqual(messages, []);
});

test("Are the types wrong?", { timeout: 120_000 }, async () => {
  // From Node 12 on: older resolution knows no exports but the main one.
  const args = [tarball, "--profile", "node16", "--exclude-entrypoints", "kcodec.wasm"];
  await run(join(tools, "attw"), args, { cwd: work });
});

test("the tarball holds what it should, and nothing else", async () => {
  const folder = join(work, "node-esm/node_modules/kcodec");
  assert.ok(existsSync(folder), "installed before");
  assert.deepEqual(readdirSync(folder).sort(), ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "dist", "package.json"]);
  const odd = readdirSync(join(folder, "dist")).filter((name) => !/\.(js|cjs|d\.ts|d\.cts|wasm)$/.test(name));
  assert.deepEqual(odd, []);
});
