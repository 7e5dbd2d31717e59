// The shared vectors, in Node.

import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as kcodec from "../dist/node.js";
import { allTests } from "./shared/tests.mjs";

const vectors = new URL("../../vectors/", import.meta.url);
const files = {
  list: (folder) => readdirSync(new URL(folder, vectors)),
  text: (path) => readFile(new URL(path, vectors), "utf8"),
  bytes: (path) => readFile(new URL(path, vectors)),
};

const tests = await allTests(kcodec, files);
if (tests.length < 200) throw new Error(`only ${tests.length} tests`);
for (const { name, run } of tests) test(name, run);
