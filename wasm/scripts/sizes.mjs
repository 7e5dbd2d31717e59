// How large a file is, as it is and as servers send it.

import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** @param {Buffer} bytes */
export function sizes(bytes) {
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length, [constants.BROTLI_PARAM_LGWIN]: 24 };
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, { params }).length,
  };
}
