/** One record in full: key, value and headers as text, as JSON or in hex. */

import { computed, signal } from "@preact/signals";
import type { Records } from "kcodec/slim";
import { bytes, hex, time, utf8, visible } from "../segment/format";
import { headersOf } from "../segment/headers";
import { indent } from "../segment/json";
import { jsonLine } from "../segment/jsonlines";
import { describe, FieldKind } from "../segment/kinds";
import { zone } from "../state/settings";
import { CopyButton } from "./actions";
import { Snippet } from "./records";

type Form = "auto" | "text" | "json" | "hex";
const FORMS: readonly Form[] = ["auto", "text", "json", "hex"];
const form = signal<Form>("auto");
const NAMES: Record<Form, string> = { auto: "Auto", text: "Text", json: "JSON", hex: "Hex" };

/** Longer values are shown from their start, JSON as it stands; copying still takes all of them. */
const SHOWN = 1 << 18;

export function RecordPane({
  records,
  i,
  control,
}: {
  records: Records;
  i: number;
  control: boolean;
}) {
  const at = records.timestampBig(i);
  const when = at < 0n ? "no timestamp" : time(at, zone.value);
  const headers = headersOf(records, i);
  return (
    <section class="record" aria-label={`Record at offset ${records.offsetBig(i)}`} tabIndex={0}>
      <div class="bar">
        <h3>Offset {String(records.offsetBig(i))}</h3>
        <span class="when">{when}</span>
        <FormChoice />
        <CopyButton label="Copy JSON" text={() => jsonLine(records, i)} />
      </div>
      <Content name="Key" data={records.key(i)} reading={control ? FieldKind.ControlKey : null} />
      <Content
        name="Value"
        data={records.value(i)}
        reading={control ? FieldKind.ControlValue : null}
      />
      {headers.length > 0 && (
        <table class="headers">
          <caption>Headers</caption>
          <tbody>
            {headers.map(({ key, value }, h) => (
              <tr key={h}>
                <th scope="row">
                  {key.length === 0 ? <em>empty</em> : visible(new TextDecoder().decode(key))}
                </th>
                <td>
                  {form.value === "hex" && value !== null ? hex(value) : <Snippet data={value} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function FormChoice() {
  return (
    <span class="choice" role="radiogroup" aria-label="Show as">
      {FORMS.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="form"
            checked={form.value === name}
            onChange={() => (form.value = name)}
          />
          <span>{NAMES[name]}</span>
        </label>
      ))}
    </span>
  );
}

function Content({
  name,
  data,
  reading,
}: {
  name: string;
  data: Uint8Array | null;
  reading: FieldKind | null;
}) {
  const shown = computed(() => (data === null ? null : render(data, form.value)));
  return (
    <div class="content">
      <div class="bar">
        <h4>{name}</h4>
        <span class="size">{data === null ? "" : bytes(data.length)}</span>
        {data !== null && data.length > 0 && (
          <CopyButton label={`Copy ${name.toLowerCase()}`} text={() => utf8(data) ?? hex(data)} />
        )}
      </div>
      {data === null ? (
        <p>
          <em>null</em>
        </p>
      ) : data.length === 0 ? (
        <p>
          <em>empty</em>
        </p>
      ) : (
        <>
          {reading !== null && <p>{describe(reading).read(data)}</p>}
          <pre>{shown.value}</pre>
        </>
      )}
    </div>
  );
}

function render(data: Uint8Array, as: Form): string {
  const part = data.subarray(0, SHOWN);
  const more = data.length > SHOWN ? "\n…" : "";
  if (as === "hex") return hexLines(part) + more;
  const text = utf8(data);
  if (as === "text") return clean(new TextDecoder().decode(part)) + more;
  if (text === null) return as === "json" ? "not JSON: not UTF-8" : hexLines(part) + more;
  const json = data.length > SHOWN ? null : indent(text);
  if (as === "json" && data.length > SHOWN) return "too long to be indented";
  if (as === "json") return json ?? "not JSON";
  if (json !== null) return json;
  const binary = /[\u0000-\u0008\u000e-\u001f]/.test(text);
  return (binary ? hexLines(part) : clean(text.slice(0, SHOWN))) + more;
}

/** Line breaks stay, other control characters become pictures. */
function clean(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

function hexLines(data: Uint8Array): string {
  const lines = [];
  for (let at = 0; at < data.length; at += 16) {
    const part = data.subarray(at, at + 16);
    const cells = (hex(part).match(/../g) ?? []).join(" ").padEnd(47);
    const text = String.fromCharCode(...part).replace(/[^\x20-\x7e]/g, ".");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${cells}  ${text}`);
  }
  return lines.join("\n");
}
