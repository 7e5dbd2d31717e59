// All tests over the shared vectors.

import { caseTests } from "./cases.mjs";
import { goldenTests } from "./golden.mjs";
import { segmentTests } from "./segments.mjs";

/**
 * @param kcodec the package
 * @param files `list(folder)`, `text(path)` and `bytes(path)` of the folder `vectors`
 */
export async function allTests(kcodec, files) {
  const tests = [segmentTests, caseTests, goldenTests].map((make) => make(kcodec, files));
  return (await Promise.all(tests)).flat();
}
