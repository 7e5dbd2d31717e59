// From the module and the TypeScript to the files of the package, in dist/.
//
// usage: node scripts/pack.mjs      after wasm-pack to pkg/ and scripts/shrink.mjs to pkg/kcodec.wasm

import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Becomes dist/ when all is there. */
const next = join(root, "pkg/dist");
const read = (file) => readFileSync(join(next, file), "utf8");
const write = (file, text) => writeFileSync(join(next, file), text);

rmSync(next, { recursive: true, force: true });
execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", root, "--outDir", next], { stdio: "inherit" });
const module = readFileSync(join(root, "pkg/kcodec.wasm"));
write("kcodec.wasm", module);
write("module.js", `export const base64 = "${module.toString("base64")}";\n`);
for (const file of readdirSync(next)) {
  if (file.endsWith(".d.ts")) write(file.replace(/\.d\.ts$/, ".d.cts"), asCommon(read(file)));
  // Where these two run, nothing can be required.
  else if (file.endsWith(".js") && file !== "web.js" && file !== "workerd.js") {
    write(file.replace(/\.js$/, ".cjs"), commonOf(read(file)));
  }
}
rmSync(join(root, "dist"), { recursive: true, force: true });
renameSync(next, join(root, "dist"));
for (const license of ["LICENSE-APACHE", "LICENSE-MIT"]) cpSync(join(root, "..", license), join(root, license));

/** A module as CommonJS. */
function commonOf(code) {
  const define = { "import.meta.url": "fileUrl" };
  const { code: common } = transformSync(code, { format: "cjs", target: "node20", define });
  const fileUrl = 'const fileUrl = require("node:url").pathToFileURL(__filename).href;\n';
  return (common.includes("fileUrl") ? fileUrl : "") + asCommon(common);
}

/** Names the CommonJS files where their ES twins are named. */
function asCommon(code) {
  return code.replaceAll(/(["'])(\.\/[\w.-]+)\.js\1/g, "$1$2.cjs$1");
}
