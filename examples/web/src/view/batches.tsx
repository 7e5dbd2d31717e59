/** The table of batches: one row each, and rows for the bytes that are none. */

import { bytes, crc, integer, ratio, time } from "../segment/format";
import {
  codecName,
  hasDeleteHorizon,
  isControl,
  isLogAppendTime,
  isTransactional,
  controlName,
  Kind,
  recordBytes,
  type Row,
} from "../segment/rows";
import { committed } from "../state/committed";
import { errorName, files, rows, transactions } from "../state/log";
import { isFaulty, range, select, selected, tab } from "../state/selection";
import { small, zone } from "../state/settings";
import { classes } from "./classes";
import { focusOn } from "./focus";
import { Grid } from "./grid";

const NAMES: Record<Kind, string> = {
  [Kind.Batch]: "",
  [Kind.Damaged]: "Damaged bytes: no batch starts here",
  [Kind.CutOff]: "Start of a batch that was cut off",
  [Kind.Zeros]: "Zeros",
};

const COLUMNS = [
  ["Offsets", "num"],
  ["Records", "num"],
  ["Codec", ""],
  ["Size", "num"],
  ["Ratio", "num"],
  ["Max timestamp", ""],
  ["Producer", ""],
  ["Flags", ""],
  ["Checksum", ""],
] as const;

export function Batches() {
  const table = rows();
  const { first, last } = range.value;
  return (
    <Grid
      id="batches"
      label="Batches"
      className={`batches ${small.value ? "cards" : ""}`}
      count={table.length}
      rowHeight={small.value ? 54 : 28}
      cursor={selected.value}
      multiple
      columnCount={COLUMNS.length}
      columns={COLUMNS.map(([name, kind]) => (
        <div role="columnheader" class={kind} key={name}>
          {name === "Max timestamp" ? `${name} (${zone.value === "utc" ? "UTC" : "local"})` : name}
        </div>
      ))}
      isSelected={(row) => row >= first && row <= last}
      rowClass={classOf}
      cells={(row) => <Cells row={table.at(row)} index={row} />}
      onMove={select}
      onOpen={(row) => {
        select(row);
        tab.value = "records";
        focusOn("#records");
      }}
    />
  );
}

function classOf(index: number): string {
  const row = rows().at(index);
  const dimmed =
    committed.value &&
    row.kind === Kind.Batch &&
    transactions().delivery(rows(), index) !== "delivered";
  return classes(isFaulty(row) && "faulty", dimmed && "dimmed", row.kind !== Kind.Batch && "gap");
}

function Cells({ row, index }: { row: Row; index: number }) {
  if (row.kind !== Kind.Batch) {
    return (
      <div role="gridcell" class="whole" aria-colspan={COLUMNS.length}>
        <Mark row={row} />
        {NAMES[row.kind as Kind]}, {bytes(row.size)} at byte {integer(row.position)}
        {files.value.length > 1 && ` of ${files.value[row.file]?.name}`}
      </div>
    );
  }
  const packed = recordBytes(row.magic, row.size);
  return (
    <>
      <div role="gridcell" class="num offsets">
        <Mark row={row} />
        {offsets(row)}
      </div>
      <div role="gridcell" class="num">
        {integer(row.count)}
      </div>
      <div role="gridcell">
        <span class={`codec ${codecName(row.codec)}`}>{codecName(row.codec)}</span>
      </div>
      <div role="gridcell" class="num">
        {bytes(row.size)}
      </div>
      <div role="gridcell" class="num">
        {row.codec !== 0 && row.plain > 0 && packed > 0 && ratio(row.plain, packed)}
      </div>
      <div role="gridcell" class="time">
        {row.maxTimestamp < 0n ? "" : time(row.maxTimestamp, zone.value)}
      </div>
      <div role="gridcell" class="producer">
        {producer(row)}
      </div>
      {isFaulty(row) ? (
        <div role="gridcell" class="flags fault mono" aria-colspan={2}>
          <Flags row={row} index={index} />
          {errorName(row.error).code}
        </div>
      ) : (
        <>
          <div role="gridcell" class="flags">
            <Flags row={row} index={index} />
          </div>
          <div role="gridcell" class="mono">
            {crc(row.crc)}
          </div>
        </>
      )}
    </>
  );
}

export function offsets(row: Row): string {
  return row.baseOffset === row.lastOffset
    ? `${row.baseOffset}`
    : `${row.baseOffset}–${row.lastOffset}`;
}

export function producer(row: Row): string {
  if (row.producerId < 0n) return "";
  const sequence = row.baseSequence < 0 ? "" : ` #${row.baseSequence}`;
  return `${row.producerId}/${row.producerEpoch}${sequence}`;
}

function Mark({ row }: { row: Row }) {
  return isFaulty(row) ? (
    <span class="mark" role="img" aria-label="error">
      ▲
    </span>
  ) : null;
}

function Flags({ row, index }: { row: Row; index: number }) {
  const outcome = transactions().list[transactions().of(index)]?.outcome;
  return (
    <>
      {row.magic < 2 && <span class="flag">magic {row.magic}</span>}
      {isControl(row) ? (
        <span class={`flag control ${outcome}`}>
          {controlName(row.control).toLowerCase().replaceAll("_", " ")}
        </span>
      ) : (
        isTransactional(row) && <span class={`flag ${outcome}`}>{outcome}</span>
      )}
      {isLogAppendTime(row) && <span class="flag">append time</span>}
      {hasDeleteHorizon(row) && <span class="flag">horizon</span>}
    </>
  );
}
