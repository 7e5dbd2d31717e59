// What the runners of the shared vectors need, in Node and in browsers alike: no imports.

/** Fails unless both are the same JSON; whole numbers are compared exactly, bigint or not. */
export function same(got, want, what) {
  const [a, b] = [canonical(got), canonical(want)];
  if (a !== b) throw new Error(`${what}: got ${a.slice(0, 400)}, want ${b.slice(0, 400)}`);
}

export function ok(condition, what) {
  if (!condition) throw new Error(what);
}

function canonical(value) {
  return JSON.stringify(value, (_, part) => {
    if (typeof part === "bigint") return part.toString();
    if (typeof part === "number") return Number.isInteger(part) ? BigInt(part).toString() : String(part);
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** JSON whose large whole numbers stay exact: as text, which `same` takes for equal. */
export function parse(text) {
  return JSON.parse(text.replaceAll(/([:[,]\s*)(-?\d{16,})(?=\s*[,\]}])/g, '$1"$2"'));
}

export function fromHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function toHex(bytes) {
  return bytes && Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function toBase64(bytes) {
  return bytes && btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** What the call throws, or null. */
export function thrown(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return null;
}

/** A record with its bytes written by `show`. */
export function shown(records, i, show) {
  const headers = Array.from({ length: records.headerCount(i) }, (_, h) => [
    show(records.headerKeyBytes(i, h)),
    show(records.headerValue(i, h)),
  ]);
  const [key, value] = [show(records.key(i)), show(records.value(i))];
  return { offset: records.offsetBig(i), timestamp: records.timestampBig(i), key, value, headers };
}

/** The indices of a batch's records. */
export function indices(batch) {
  return Array.from({ length: batch.count }, (_, i) => batch.firstRecord + i);
}

/** The records of batches that are no control batches. */
export function dataOf(records, show) {
  const data = records.batches.filter((batch) => !batch.control);
  return data.flatMap((batch) => indices(batch).map((i) => shown(records, i, show)));
}
