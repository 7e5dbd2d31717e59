/**
 * The files as one picture: bytes from left to right, a bar for each batch.
 *
 * A bar's full colour is what the batch takes in the file, the pale part above it what it holds
 * once decompressed. Errors reach from top to bottom in red and carry a triangle, so that they
 * show without colour too. Click or use the arrow keys to go to a batch.
 */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { bytes, integer } from "../segment/format";
import { CODECS, codecName } from "../segment/rows";
import { absolute, files, revision, rows, totalSize } from "../state/log";
import { select, selected } from "../state/selection";
import { small, systemDark, theme } from "../state/settings";
import { type Bins, binsOf } from "./bins";
import { offsets } from "./batches";

const MARKS = 10;

export function Picture() {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [hover, setHover] = useState(-1);
  const table = rows();
  const height = small.value ? 56 : 84;

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    observer.observe(box.current as HTMLDivElement);
    return () => observer.disconnect();
  }, []);

  const bins = useMemo(
    () =>
      binsOf(table, totalSize(), width, (row) =>
        absolute(table.get("file", row), table.get("position", row)),
      ),
    [revision.value, width],
  );
  useEffect(() => {
    if (width > 0) paint(canvas.current as HTMLCanvasElement, bins, width, height);
  }, [bins, height, selected.value, theme.value, systemDark.value]);

  const rowAt = (event: MouseEvent) => {
    const { left } = (canvas.current as HTMLCanvasElement).getBoundingClientRect();
    const x = Math.max(0, Math.min(width - 1, Math.floor(event.clientX - left)));
    return bins.columns[x]?.row ?? -1;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[event.key];
    const to =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? table.length - 1
          : step && selected.value + step;
    if (to === undefined || table.length === 0) return;
    select(Math.max(0, Math.min(table.length - 1, to)));
    event.preventDefault();
  };

  const shown = hover >= 0 && hover < table.length ? hover : selected.value;
  return (
    <section class="picture" aria-label="Sizes of the batches over the file">
      <div
        class="plot"
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label="Batch, by place in the file"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, table.length - 1)}
        aria-valuenow={Math.max(0, selected.value)}
        aria-valuetext={selected.value < 0 ? "none" : caption(selected.value)}
        onClick={(event) => {
          const row = rowAt(event);
          if (row >= 0) select(row);
        }}
        onMouseMove={(event) => setHover(rowAt(event))}
        onMouseLeave={() => setHover(-1)}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} style={{ height: `${height}px` }} />
      </div>
      <div class="legend">
        <span class="caption">{shown < 0 ? "" : caption(shown)}</span>
        {bins.highest > 0 && <span class="scale">full height {bytes(bins.highest)}</span>}
        <Legend bins={bins} />
      </div>
    </section>
  );
}

function Legend({ bins }: { bins: Bins }) {
  const used = CODECS.filter((name) =>
    bins.columns.some((bin) => bin.plain > 0 && bin.codec === name),
  );
  return (
    <span class="keys">
      {used.map((name) => (
        <span key={name}>
          <i class={`swatch ${name}`} />
          {name === "none" ? "uncompressed" : name}
        </span>
      ))}
      {used.some((name) => name !== "none") && (
        <span>
          <i class="swatch pale" />
          decompressed
        </span>
      )}
      {bins.columns.some((bin) => bin.faulty) && (
        <span>
          <i class="swatch error" />
          error
        </span>
      )}
    </span>
  );
}

function caption(index: number): string {
  const table = rows();
  const row = table.at(index);
  const file = files.value.length > 1 ? `${files.value[row.file]?.name}, ` : "";
  const name = row.lastOffset < 0n ? "no batch" : `offsets ${offsets(row)}`;
  const plain = row.plain === 0 ? "" : `, ${bytes(row.plain)} plain`;
  const packed =
    row.codec === 0 ? bytes(row.size) : `${bytes(row.size)} of ${codecName(row.codec)}${plain}`;
  return `${file}byte ${integer(row.position)}, ${name}, ${packed}`;
}

function paint(canvas: HTMLCanvasElement, bins: Bins, width: number, height: number): void {
  const ratio = devicePixelRatio || 1;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const room = height - MARKS - 1;
  const heightOf = (size: number) => (size <= 0 ? 0 : Math.max(2, (size / bins.highest) * room));
  const bar = (x: number, tall: number, fill: string, wide = 1) => {
    context.fillStyle = fill;
    context.fillRect(x, height - 1 - tall, wide, tall);
  };

  const current = selected.peek();
  const runs: { from: number; to: number }[] = [];
  bins.columns.forEach((bin, x) => {
    // a gap of a pixel keeps neighbours apart where batches are wide enough
    const next = bins.columns[x + 1];
    const before = bins.columns[x - 1];
    const edge =
      next !== undefined && before?.row === bin.row && next.row !== bin.row && next.row >= 0;
    if (bin.row >= 0 && bin.row === current) {
      bar(x, height, color("picture-cursor"));
      context.fillStyle = color("accent");
      context.fillRect(x, 0, 1, 3);
    }
    if (!edge) {
      if (bin.gap) bar(x, room / 3, color("picture-gap"));
      bar(x, heightOf(bin.plain), color("picture-pale"));
      bar(x, heightOf(bin.stored), color(`codec-${bin.codec}`));
    }
    if (bin.faulty) {
      context.globalAlpha = 0.35;
      bar(x, height, color("error"));
      context.globalAlpha = 1;
      if (before?.faulty !== true) runs.push({ from: x, to: x });
      (runs.at(-1) as { to: number }).to = x;
    }
  });
  for (const { from, to } of runs) triangle(context, (from + to + 1) / 2, color("error"));
  bar(0, 1, color("line-strong"), width);
}

function triangle(context: CanvasRenderingContext2D, x: number, fill: string): void {
  context.fillStyle = fill;
  context.beginPath();
  context.moveTo(x - MARKS / 2, MARKS - 1);
  context.lineTo(x + MARKS / 2, MARKS - 1);
  context.lineTo(x, 0);
  context.fill();
}
