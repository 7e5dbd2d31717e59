// From wasm-pack's output and the TypeScript to the files of the package, in dist/.
//
// usage: node scripts/pack.mjs [--budget BYTES]
//
// With a budget, fails if the module takes more bytes than that after brotli.

import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { transformSync } from "esbuild";
import { sizes } from "./sizes.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values: options } = parseArgs({ options: { budget: { type: "string" } } });
const at = (...path) => join(root, ...path);
const read = (...path) => readFileSync(at(...path), "utf8");
const run = (tool, ...args) => execFileSync(at("node_modules/.bin", tool), args, { cwd: root, stdio: "inherit" });

rmSync(at("dist"), { recursive: true, force: true });
run("tsc", "-p", ".");
shrink();
writeFileSync(at("dist/module.js"), `export const base64 = "${readFileSync(at("dist/kcodec.wasm"), "base64")}";\n`);
for (const file of readdirSync(at("dist"))) {
  if (file.endsWith(".d.ts")) writeCommon(file, asCommon(read("dist", file)));
}
for (const file of readdirSync(at("dist"))) {
  // Where these run, nothing can be required.
  if (file.endsWith(".js") && file !== "web.js" && file !== "workerd.js") writeCommon(file, commonOf(file));
}

for (const license of ["LICENSE-APACHE", "LICENSE-MIT"]) cpSync(at("..", license), at(license));

const size = sizes(readFileSync(at("dist/kcodec.wasm")));
console.log(`kcodec.wasm: ${size.raw} bytes, ${size.gzip} after gzip, ${size.brotli} after brotli`);
if (options.budget !== undefined && size.brotli > Number(options.budget)) {
  console.error(`the budget is ${options.budget} bytes after brotli`);
  process.exit(1);
}

/** Optimises the module, and keeps nothing that our exports do not reach. */
function shrink() {
  const declared = [...read("pkg/kcodec_bg.wasm.d.ts").matchAll(/^export const (\w+):/gm)];
  const names = declared.map(([, name]) => name).filter((name) => !name.startsWith("__"));
  const graph = [{ name: "package", root: true, reaches: names }, ...names.map((name) => ({ name, export: name }))];
  writeFileSync(at("pkg/exports.json"), JSON.stringify(graph));
  const features = ["simd", "bulk-memory", "sign-ext", "nontrapping-float-to-int", "mutable-globals"];
  const enabled = [...features, "multivalue", "reference-types"].map((feature) => `--enable-${feature}`);
  run("wasm-metadce", "pkg/kcodec_bg.wasm", "--graph-file", "pkg/exports.json", "-o", "pkg/reached.wasm", ...enabled);
  run("wasm-opt", "pkg/reached.wasm", "-O3", "--strip-debug", "--strip-producers", "-o", "dist/kcodec.wasm", ...enabled);
}

/** A module as CommonJS. */
function commonOf(file) {
  const { code } = transformSync(read("dist", file), {
    format: "cjs",
    target: "node20",
    define: { "import.meta.url": "fileUrl" },
  });
  const fileUrl = 'const fileUrl = require("node:url").pathToFileURL(__filename).href;\n';
  return (code.includes("fileUrl") ? fileUrl : "") + asCommon(code);
}

/** Names the CommonJS files where their ES twins are named. */
function asCommon(code) {
  return code.replaceAll(/(["'])(\.\/[\w.-]+)\.js\1/g, "$1$2.cjs$1");
}

function writeCommon(file, code) {
  const stem = basename(file).replace(/\.(d\.ts|js)$/, "");
  writeFileSync(at("dist", file.endsWith(".d.ts") ? `${stem}.d.cts` : `${stem}.cjs`), code);
}
