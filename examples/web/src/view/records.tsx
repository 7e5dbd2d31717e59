/** The records of the selected batch, and below them the one that is selected. */

import type { Records } from "kcodec/slim";
import { preview, time } from "../segment/format";
import { isControl, Kind } from "../segment/rows";
import { committed } from "../state/committed";
import { rows, transactions } from "../state/log";
import { type Loaded, record } from "../state/selection";
import { small, zone } from "../state/settings";
import { RecordPane } from "./record";
import { Grid } from "./grid";

const COLUMNS = ["Offset", "Timestamp", "Key", "Value"] as const;

const UNDELIVERED = {
  control: "control records never reach an application",
  aborted: "left out for read_committed: the transaction was aborted",
  "not stable": "left out for read_committed: at or after the last stable offset",
} as const;

export function RecordList({ loaded }: { loaded: Loaded }) {
  if (loaded.records === null) return <p class="empty">{reason(loaded)}</p>;
  const { records } = loaded;
  if (records.length === 0)
    return <p class="empty">An empty batch: compaction removed all its records.</p>;
  const delivery = transactions().delivery(rows(), loaded.row);
  const dimmed = committed.value && delivery !== "delivered";
  return (
    <>
      {loaded.unverified && <p class="note">Read in spite of the wrong checksum.</p>}
      {dimmed && <p class="note">{UNDELIVERED[delivery]}</p>}
      <Grid
        content={loaded}
        id="records"
        label="Records"
        className={`records ${small.value ? "cards" : ""} ${dimmed ? "all-dimmed" : ""}`}
        count={records.length}
        rowHeight={small.value ? 50 : 26}
        cursor={record.value}
        columnCount={COLUMNS.length}
        columns={COLUMNS.map((name, i) => (
          <div role="columnheader" class={i === 0 ? "num" : ""} key={name}>
            {name === "Timestamp" ? `${name} (${zone.value === "utc" ? "UTC" : "local"})` : name}
          </div>
        ))}
        cells={(i) => <Cells records={records} i={i} />}
        onMove={(i) => (record.value = i)}
      />
      {record.value >= 0 && record.value < records.length && (
        <RecordPane records={records} i={record.value} control={isControl(loaded.of)} />
      )}
    </>
  );
}

function reason(loaded: Loaded): string {
  if (loaded.of.kind !== Kind.Batch) return "No batch, so no records. The bytes can be looked at.";
  if (loaded.fault !== null) return "The records could not be read.";
  return "The batch is too large to be read at once.";
}

function Cells({ records, i }: { records: Records; i: number }) {
  const at = records.timestampBig(i);
  const headers = records.headerCount(i);
  return (
    <>
      <div role="gridcell" class="num offsets">
        {String(records.offsetBig(i))}
      </div>
      <div role="gridcell" class="time">
        {at < 0n ? "" : time(at, zone.value)}
      </div>
      <div role="gridcell" class="mono key">
        <Snippet data={records.key(i)} />
      </div>
      <div role="gridcell" class="mono value">
        {headers > 0 && (
          <span class="flag">
            {headers} {headers === 1 ? "header" : "headers"}
          </span>
        )}
        <Snippet data={records.value(i)} />
      </div>
    </>
  );
}

export function Snippet({ data }: { data: Uint8Array | null }) {
  if (data === null) return <em>null</em>;
  if (data.length === 0) return <em>empty</em>;
  return <>{preview(data)}</>;
}
