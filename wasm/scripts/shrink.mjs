// Optimises a module that wasm-bindgen wrote, and keeps nothing of it that our own exports do not reach.
//
// usage: node scripts/shrink.mjs FOLDER FILE BUDGET
//
// From wasm-pack's output folder to a file, which must not take more bytes than the budget after brotli.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sizes } from "./sizes.mjs";

const tools = fileURLToPath(new URL("../node_modules/.bin", import.meta.url));
const [folder, to, budget] = process.argv.slice(2);
const at = (name) => join(folder, name);
const run = (tool, ...args) => execFileSync(join(tools, tool), args, { stdio: ["ignore", "ignore", "inherit"] });

const declared = [...readFileSync(at("kcodec_bg.wasm.d.ts"), "utf8").matchAll(/^export const (\w+):/gm)];
const names = declared.map(([, name]) => name).filter((name) => !name.startsWith("__"));
const graph = [{ name: "package", root: true, reaches: names }, ...names.map((name) => ({ name, export: name }))];
writeFileSync(at("exports.json"), JSON.stringify(graph));

const features = ["simd", "bulk-memory", "sign-ext", "nontrapping-float-to-int", "mutable-globals"];
const enabled = [...features, "multivalue", "reference-types"].map((feature) => `--enable-${feature}`);
run("wasm-metadce", at("kcodec_bg.wasm"), "--graph-file", at("exports.json"), "-o", at("reached.wasm"), ...enabled);
run("wasm-opt", at("reached.wasm"), "-O3", "--strip-debug", "--strip-producers", "-o", to, ...enabled);

const { raw, gzip, brotli } = sizes(readFileSync(to));
console.log(`${raw} bytes, ${gzip} after gzip, ${brotli} after brotli`);
if (brotli > Number(budget)) {
  console.error(`the budget is ${budget} bytes after brotli`);
  process.exit(1);
}
