/**
 * Indents JSON without reading its numbers, so that `1.0` and twenty digits stay as they were
 * written.
 */

/** The text over several lines, or null when it is no JSON object or array. */
export function indent(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  let out = "";
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  tokens.forEach((token, i) => {
    const opens = token === "{" || token === "[";
    const closes = token === "}" || token === "]";
    const empty = closes && (tokens[i - 1] === "{" || tokens[i - 1] === "[");
    if (closes) depth--;
    if (closes && !empty) out += line();
    out += token;
    if (opens) depth++;
    if (token === ":") out += " ";
    else if (token === "," || (opens && !["}", "]"].includes(tokens[i + 1] as string)))
      out += line();
  });
  return out;
}
