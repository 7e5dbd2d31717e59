/** The codecs and hashes by themselves. */

import { limitOf } from "./decode.js";
import { codecOf, intOf, NO_INT } from "./encode.js";
import { invalid } from "./errors.js";
import { bytesOf, shared } from "./instance.js";
import { codecNames } from "./kinds.js";
import { compiled } from "./loader.js";
import type { Bytes, Codec } from "./types.js";

/** Compresses as Kafka's clients frame it. Without a level, at the codec's default. */
export function compress(codec: Codec, input: Uint8Array, level?: number): Uint8Array<ArrayBuffer> {
  const number = codecOf(codec);
  const by = intOf(level ?? NO_INT, 32);
  const bytes = bytesOf(input);
  return shared.run((instance) => {
    instance.check(instance.exports.compress(number, by, instance.put(bytes)));
    return instance.output();
  });
}

/** Decompresses, to no more than `limit` bytes: else it throws LIMIT_BATCH_BYTES. */
export function decompress(codec: Codec, input: Uint8Array, limit: number): Uint8Array<ArrayBuffer> {
  const number = codecOf(codec);
  const most = limitOf(limit, "limit");
  const bytes = bytesOf(input);
  return shared.run((instance) => {
    instance.check(instance.exports.decompress(number, most, instance.put(bytes)));
    return instance.output();
  });
}

/** The CRC-32C of the bytes that have the checksum `seed`, followed by `input`. */
export function crc32c(input: Uint8Array, seed = 0): number {
  const bytes = bytesOf(input);
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffff_ffff) throw invalid(`${seed} is no checksum of 32 bits`);
  return shared.run((instance) => instance.exports.crc32c(seed, instance.put(bytes)) >>> 0);
}

const utf8 = new TextEncoder();

/** The hash that Kafka's default partitioner takes of a key, as a signed number of 32 bits. */
export function murmur2(input: Bytes): number {
  const bytes = typeof input === "string" ? utf8.encode(input) : bytesOf(input);
  return shared.run((instance) => instance.exports.murmur2(instance.put(bytes)));
}

/** The codecs that the loaded module has. */
export function codecs(): readonly Codec[] {
  compiled();
  const built = shared.run((instance) => instance.exports.codecs());
  return codecNames.filter((_, number) => (built >> number) & 1);
}
