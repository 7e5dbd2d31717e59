/** The right side: what the selected entry is, and its records, bytes or transaction. */

import { bytes, crc, integer, plural, time } from "../segment/format";
import { codecName, isLogAppendTime, Kind, type Row } from "../segment/rows";
import { errorName, files, progress, rows } from "../state/log";
import { entry, type Loaded, selected, showByte, type Tab, tab } from "../state/selection";
import { narrow, zone } from "../state/settings";
import type { Fault } from "../worker/protocol";
import { BatchActions } from "./actions";
import { Batches, offsets } from "./batches";
import { Bytes } from "./bytes";
import { classes } from "./classes";
import { RecordList } from "./records";
import { TransactionPane } from "./transactions";

const TABS: readonly [Tab, string][] = [
  ["batches", "Batches"],
  ["records", "Records"],
  ["bytes", "Bytes"],
  ["transactions", "Transactions"],
];

export function Detail() {
  const shown = TABS.filter(([name]) => narrow.value || name !== "batches");
  const current = !narrow.value && tab.value === "batches" ? "records" : tab.value;
  const loaded = entry.value;
  const stale = selected.value >= 0 && loaded?.row !== selected.value;
  return (
    <section
      class={classes("detail", stale && "stale")}
      aria-label="Selected batch"
      aria-busy={stale}
    >
      {current !== "batches" && loaded !== null && <Summary loaded={loaded} />}
      <Tabs shown={shown} current={current} />
      <div class="pane" role="tabpanel" id={`pane-${current}`} aria-labelledby={`tab-${current}`}>
        {current === "batches" && <Batches />}
        {loaded === null && (current === "records" || current === "bytes") && <Nothing />}
        {current === "records" && loaded !== null && <RecordList loaded={loaded} />}
        {current === "bytes" && loaded !== null && <Bytes loaded={loaded} />}
        {current === "transactions" && <TransactionPane />}
      </div>
    </section>
  );
}

function Nothing() {
  const empty = rows().length === 0 && progress.value === null;
  return <p class="empty">{empty ? "There is nothing in the file." : "Reading…"}</p>;
}

function Tabs({ shown, current }: { shown: readonly [Tab, string][]; current: Tab }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const at = shown.findIndex(([name]) => name === current);
    const [to] = shown[(at + step + shown.length) % shown.length] as [Tab, string];
    tab.value = to;
    document.getElementById(`tab-${to}`)?.focus();
    event.preventDefault();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Views" onKeyDown={onKeyDown}>
      {shown.map(([name, title]) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={name === current}
          aria-controls={name === current ? `pane-${name}` : undefined}
          tabIndex={name === current ? 0 : -1}
          onClick={() => (tab.value = name)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

function Summary({ loaded }: { loaded: Loaded }) {
  const row = loaded.of;
  return (
    <header class="summary">
      <div class="title">
        <h2>
          {row.kind === Kind.Batch
            ? `${row.baseOffset === row.lastOffset ? "Offset" : "Offsets"} ${offsets(row)}`
            : "No batch"}
        </h2>
        <BatchActions />
      </div>
      <p class="facts">
        {facts(row).map(([name, value]) => (
          <span key={name}>
            <b>{name}</b> {value}
          </span>
        ))}
      </p>
      {loaded.fault !== null && <Problem fault={loaded.fault} row={row} />}
    </header>
  );
}

function Problem({ fault, row }: { fault: Fault; row: Row }) {
  const { code, message } = errorName(fault.number);
  const [byte, whose] = fault.inPayload
    ? [fault.at, "the decompressed records"]
    : [row.position + fault.at, "the file"];
  return (
    <p class="problem" role="alert">
      <span aria-hidden="true">▲</span> <b>{code}</b> {message}
      <button type="button" onClick={() => showByte(fault.at, fault.inPayload)}>
        byte {integer(byte)} of {whose}
      </button>
    </p>
  );
}

function facts(row: Row): [string, string][] {
  const file = files.value.length > 1 ? ` of ${files.value[row.file]?.name}` : "";
  const at: [string, string] = ["at", `byte ${integer(row.position)}${file}, ${bytes(row.size)}`];
  if (row.kind !== Kind.Batch) return [at];
  const packed = row.codec === 0 ? "uncompressed" : codecName(row.codec);
  const all: [string, string][] = [
    at,
    ["holds", `${plural(row.count, "record")}, ${packed}, magic ${row.magic}`],
  ];
  if (row.maxTimestamp >= 0n) {
    const whose = isLogAppendTime(row) ? "append time" : "create time";
    all.push([whose, `${time(row.maxTimestamp, zone.value)}${zone.value === "utc" ? " UTC" : ""}`]);
  }
  if (row.producerId >= 0n) {
    const sequence = row.baseSequence < 0 ? "" : `, sequence ${row.baseSequence}`;
    all.push(["producer", `${row.producerId}, epoch ${row.producerEpoch}${sequence}`]);
  }
  if (row.magic === 2) all.push(["leader epoch", String(row.leaderEpoch)]);
  all.push([
    row.magic === 2 ? "CRC-32C" : "CRC-32",
    `${crc(row.crc)}${row.crcOk ? ", right" : ""}`,
  ]);
  return all;
}
