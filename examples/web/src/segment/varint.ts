/**
 * The variable-length integers of records: groups of seven bits, low ones first, zigzag for the
 * sign.
 */

/** Where the varint that starts at `at` ends, -1 when it does not. */
export function varintEnd(bytes: Uint8Array, at: number): number {
  for (let i = at; i < bytes.length && i < at + 10; i++)
    if ((bytes[i] as number) < 0x80) return i + 1;
  return -1;
}

export function zigzag(bytes: Uint8Array, at: number, end: number): bigint {
  let value = 0n;
  for (let i = end - 1; i >= at; i--) value = (value << 7n) | BigInt((bytes[i] as number) & 0x7f);
  return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
}
