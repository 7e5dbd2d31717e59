/** Reads bytes that were pasted as hex, as a hex dump or as base64. */

export interface Pasted {
  bytes: Uint8Array;
  form: "hex" | "hex dump" | "base64";
}

/** `00000010: 6b65 7920 …  text`, as xxd, hexdump -C and tcpdump write it. */
const DUMP_LINE = /^\s*(?:0x)?[0-9a-f]{4,16}:?\s+((?:[0-9a-f]{2,4}\s{0,2})+)(?:\s.*|\|.*)?$/i;

/** Digits of the smallest message, 26 bytes. */
const SHORTEST = 35;

/** The bytes, or null for text that is none of these. */
export function parsePaste(text: string): Pasted | null {
  return hexDump(text) ?? plainHex(text) ?? base64(text);
}

function plainHex(text: string): Pasted | null {
  const digits = text.replace(/0x|\\x|[\s,:;_"'\[\](){}-]/gi, "");
  return digits.length > 0 && digits.length % 2 === 0 && /^[0-9a-f]+$/i.test(digits)
    ? { bytes: fromHex(digits), form: "hex" }
    : null;
}

function hexDump(text: string): Pasted | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0 || !/^\s*(0x)?0+:?\s/i.test(lines[0] as string)) return null;
  let digits = "";
  for (const line of lines) {
    // hexdump ends with a line that is an address alone
    if (/^\s*[0-9a-f]+:?\s*$/i.test(line)) continue;
    const cells = DUMP_LINE.exec(line)?.[1];
    if (cells === undefined) return null;
    digits += cells.replace(/\s/g, "").slice(0, 32);
  }
  return digits.length % 2 === 0 ? { bytes: fromHex(digits), form: "hex dump" } : null;
}

function base64(text: string): Pasted | null {
  const digits = text
    .replace(/^[\s"']+|[\s"']+$/gm, "")
    .replace(/\n/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  // a word is base64 too, so what is too short to be a record set is not taken for one
  if (digits.length < SHORTEST || !/^[0-9a-z+/]+=*$/i.test(digits)) return null;
  try {
    return { bytes: Uint8Array.from(atob(digits), (c) => c.charCodeAt(0)), form: "base64" };
  } catch {
    return null;
  }
}

export function fromHex(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
