/**
 * An annotated hex dump. Every field has a colour, and the one under the pointer or the cursor
 * says its name and value above the dump. The arrow keys go from field to field.
 */

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { Fields } from "../segment/fields";
import { integer } from "../segment/format";
import { describe } from "../segment/kinds";
import { classes } from "./classes";
import { useVirtual } from "./virtual";

interface Props {
  data: Uint8Array;
  fields: Fields;
  /** What the address of the first byte is. */
  base: number;
  /** The byte at fault, -1 for none. */
  fault: number;
  /** The field with the cursor at first. */
  start: number;
}

const LINE = 22;
/** Pixels that sixteen bytes, their address and their text take. */
const ROOM_FOR_16 = 552;

export function Dump({ data, fields, base, fault, start }: Props) {
  const [width, setWidth] = useState(16);
  const count = Math.ceil(data.length / width);
  const {
    box,
    width: room,
    onScroll,
    reveal,
    first,
    last,
    drawn,
    place,
    page,
  } = useVirtual(count, LINE);
  const [wanted, setCursor] = useState(start);
  const [hover, setHover] = useState(-1);
  // the bytes may have changed since the cursor was set
  const cursor = Math.min(wanted, fields.length - 1);
  const field = hover >= 0 && hover < fields.length ? hover : cursor;

  useLayoutEffect(() => setCursor(start), [start, data]);
  useEffect(() => setWidth(room < ROOM_FOR_16 ? 8 : 16), [room]);
  useLayoutEffect(() => {
    if (cursor < 0) return;
    const [from, to] = [fields.start(cursor), fields.end(cursor)];
    reveal(Math.floor((to - 1) / width));
    reveal(Math.floor((fault >= from && fault < to ? fault : from) / width));
  }, [cursor, width, data]);

  const onKeyDown = (event: KeyboardEvent) => {
    const lines = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }[event.key];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    let to: number;
    if (step !== undefined) to = cursor + step;
    else if (event.key === "Home") to = 0;
    else if (event.key === "End") to = fields.length - 1;
    else if (lines !== undefined) {
      to = fields.at(Math.max(0, fields.start(cursor) + lines * width));
      // a field of several lines must not hold the cursor
      if (to === cursor) to += Math.sign(lines);
    } else return;
    setHover(-1);
    setCursor(Math.max(0, Math.min(fields.length - 1, to)));
    event.preventDefault();
  };

  const fieldUnder = (event: MouseEvent): number => {
    const byte = (event.target as HTMLElement).dataset.byte;
    return byte === undefined ? -1 : fields.at(Number(byte));
  };

  const lines = [];
  for (let line = first; line < last; line++) {
    const from = line * width;
    lines.push(
      <div class="line" key={line} style={place(line)}>
        <span class="address">{(base + from).toString(16).padStart(8, "0")}</span>
        <Cells {...{ data, fields, from, width, field, fault }} />
      </div>,
    );
  }
  return (
    <div class="dump">
      <p class="reading" aria-live="polite">
        {field >= 0 && <Reading data={data} fields={fields} field={field} base={base} />}
      </p>
      <div
        ref={box}
        class="lines"
        role="application"
        aria-roledescription="hex dump"
        aria-label="Bytes. Arrow keys go from field to field."
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onMouseMove={(event) => setHover(fieldUnder(event))}
        onMouseLeave={() => setHover(-1)}
        onClick={(event) => {
          const under = fieldUnder(event);
          if (under >= 0) setCursor(under);
        }}
      >
        <div class="body" style={{ height: `${drawn}px` }}>
          {lines}
        </div>
      </div>
    </div>
  );
}

function Reading({
  data,
  fields,
  field,
  base,
}: {
  data: Uint8Array;
  fields: Fields;
  field: number;
  base: number;
}) {
  const { name, tone, read } = describe(fields.kind(field));
  const [from, to] = [fields.start(field), fields.end(field)];
  const size = to - from;
  const number = fields.record(field);
  return (
    <>
      <span class={`tone ${tone}`}>{name}</span>{" "}
      <b class="mono">{safely(read, data.subarray(from, to))}</b>{" "}
      <span class="where">
        {number >= 0 && `record ${integer(number)}, `}
        byte {integer(base + from)} (0x{(base + from).toString(16)}), {size}{" "}
        {size === 1 ? "byte" : "bytes"}
      </span>
    </>
  );
}

function safely(read: (bytes: Uint8Array) => string, data: Uint8Array): string {
  try {
    return read(data);
  } catch {
    return "cut off";
  }
}

interface LineProps {
  data: Uint8Array;
  fields: Fields;
  from: number;
  width: number;
  field: number;
  fault: number;
}

function Cells({ data, fields, from, width, field, fault }: LineProps) {
  const cells = [];
  const texts = [];
  let at = fields.at(from);
  for (let byte = from; byte < from + width; byte++) {
    if (byte >= data.length) {
      cells.push(<i key={byte} />);
      continue;
    }
    while (byte >= fields.end(at)) at++;
    const value = data[byte] as number;
    const { tone } = describe(fields.kind(at));
    const name = classes(tone, at === field && "current", byte === fault && "at-fault");
    const starts = byte === fields.start(at) && "starts";
    const ends = byte === fields.end(at) - 1 && "ends";
    cells.push(
      <i key={byte} class={classes(name, starts, ends)} data-byte={byte}>
        {value.toString(16).padStart(2, "0")}
      </i>,
    );
    const text = value >= 0x20 && value < 0x7f ? String.fromCharCode(value) : "·";
    texts.push(
      <i key={byte} class={name} data-byte={byte}>
        {text}
      </i>,
    );
  }
  return (
    <>
      <span class="cells">{cells}</span>
      <span class="texts">{texts}</span>
    </>
  );
}
