/**
 * Follows transactions through the rows, as a broker does.
 *
 * A producer has at most one transaction open in a partition. Its first transactional batch opens
 * one, its next commit or abort marker ends it. The last stable offset is where the earliest open
 * one starts; a read_committed consumer gets nothing from there on.
 */

import { isControl, isTransactional, Kind, type Rows } from "./rows";

export type Outcome = "open" | "committed" | "aborted";

export interface Transaction {
  producerId: bigint;
  producerEpoch: number;
  outcome: Outcome;
  /** Row of its first batch, or of the marker when no batch of it is in the files. */
  firstRow: number;
  /** Row of its last batch or marker so far. */
  lastRow: number;
  /** Row of the marker, -1 while it is open. */
  marker: number;
  firstOffset: bigint;
  batches: number;
  records: number;
}

/** What becomes of a batch at a read_committed consumer. */
export type Delivery = "delivered" | "control" | "aborted" | "not stable";

const ABORT = 0;
const COMMIT = 1;

export class Transactions {
  readonly list: Transaction[] = [];
  #of = new Int32Array(1 << 10);
  #open = new Map<bigint, number>();
  #seen = 0;

  /** Takes the rows that came since the last call. */
  follow(rows: Rows): void {
    if (rows.length > this.#of.length) {
      const grown = new Int32Array(Math.max(rows.length, this.#of.length * 2));
      grown.set(this.#of);
      this.#of = grown;
    }
    for (; this.#seen < rows.length; this.#seen++)
      this.#of[this.#seen] = this.#take(rows, this.#seen);
  }

  /** The number of a row's transaction in the list, -1 for none. */
  of(row: number): number {
    return row < this.#seen ? (this.#of[row] as number) : -1;
  }

  /** Where the earliest open transaction starts; null when none is open. */
  get lastStableOffset(): bigint | null {
    let lowest: bigint | null = null;
    for (const number of this.#open.values()) {
      const { firstOffset } = this.list[number] as Transaction;
      if (lowest === null || firstOffset < lowest) lowest = firstOffset;
    }
    return lowest;
  }

  delivery(rows: Rows, row: number, stable = this.lastStableOffset): Delivery {
    const attributed = { magic: rows.get("magic", row), attributes: rows.get("attributes", row) };
    if (isControl(attributed)) return "control";
    if (stable !== null && rows.get("baseOffset", row) >= stable) return "not stable";
    const transaction = this.list[this.of(row)];
    return transaction?.outcome === "aborted" ? "aborted" : "delivered";
  }

  #take(rows: Rows, row: number): number {
    if (rows.get("kind", row) !== Kind.Batch) return -1;
    const attributed = { magic: rows.get("magic", row), attributes: rows.get("attributes", row) };
    if (!isTransactional(attributed)) return -1;
    const producerId = rows.get("producerId", row);
    const open = this.#open.get(producerId);
    const number = open ?? this.#begin(rows, row, producerId);
    const transaction = this.list[number] as Transaction;
    transaction.lastRow = row;

    if (!isControl(attributed)) {
      transaction.batches++;
      transaction.records += rows.get("count", row);
      return number;
    }
    const type = rows.get("control", row);
    if (type === COMMIT || type === ABORT) {
      transaction.outcome = type === COMMIT ? "committed" : "aborted";
      transaction.marker = row;
      this.#open.delete(producerId);
    }
    return number;
  }

  #begin(rows: Rows, row: number, producerId: bigint): number {
    const number = this.list.push({
      producerId,
      producerEpoch: rows.get("producerEpoch", row),
      outcome: "open",
      firstRow: row,
      lastRow: row,
      marker: -1,
      firstOffset: rows.get("baseOffset", row),
      batches: 0,
      records: 0,
    });
    this.#open.set(producerId, number - 1);
    return number - 1;
  }
}
