/** How numbers, times and bytes are written out. */

export type Zone = "utc" | "local";

/** `2023-11-14 22:13:20.105`; the zone is said once, in the head of the column. */
export function time(at: bigint, zone: Zone): string {
  const date = new Date(Number(at));
  if (Number.isNaN(date.getTime())) return String(at);
  if (zone === "utc") return date.toISOString().replace("T", " ").replace("Z", "");
  const two = (n: number, width = 2) => String(n).padStart(width, "0");
  const day = `${two(date.getFullYear(), 4)}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${clock}.${two(date.getMilliseconds(), 3)}`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Three significant digits, decimal units: `763 B`, `1.05 MB`. */
export function bytes(count: number): string {
  let unit = 0;
  let scaled = count;
  while (scaled >= 999.5 && unit < UNITS.length - 1) {
    scaled /= 1000;
    unit++;
  }
  return `${unit === 0 ? count : scaled.toPrecision(3)} ${UNITS[unit]}`;
}

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Thousands apart, as `1 000 000`. */
export function integer(value: number | bigint): string {
  return grouped.format(value).replaceAll(",", "\u202f");
}

/** How many bytes came of one: `2.83×`, `266×`. */
export function ratio(plain: number, packed: number): string {
  const times = plain / packed;
  return `${times < 100 ? times.toPrecision(3) : integer(Math.round(times))}×`;
}

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${integer(count)} ${count === 1 ? noun : many}`;
}

export function hex(data: Uint8Array): string {
  let out = "";
  for (const byte of data) out += byte.toString(16).padStart(2, "0");
  return out;
}

export function crc(value: number): string {
  return value.toString(16).padStart(8, "0");
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes as text, or null when they are not UTF-8. */
export function utf8(data: Uint8Array): string | null {
  try {
    return strict.decode(data);
  } catch {
    return null;
  }
}

/** Control characters as their pictures, so that they take room and do no harm. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, (c) =>
    String.fromCodePoint(c === "\u007f" ? 0x2421 : 0x2400 + c.charCodeAt(0)),
  );
}

/** The start of the bytes on one line, as text where that is what they are, else in hex. */
export function preview(data: Uint8Array, limit = 200): string {
  let end = Math.min(data.length, limit);
  const whole = end === data.length;
  while (!whole && end > limit - 4 && ((data[end] as number) & 0xc0) === 0x80) end--;
  const text = utf8(data.subarray(0, end));
  const more = whole ? "" : "…";
  const binary = text === null || /[\u0000-\u0008\u000e-\u001f]/.test(text);
  return (binary ? hex(data.subarray(0, Math.min(end, 64))) : visible(text)) + more;
}

export function base64(data: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < data.length; i += 0x8000) {
    binary += String.fromCharCode(...data.subarray(i, i + 0x8000));
  }
  return btoa(binary);
}
