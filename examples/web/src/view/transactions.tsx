/**
 * Transactions: what read_committed leaves out, every transaction, and the selected one step by
 * step.
 */

import { integer, plural } from "../segment/format";
import { controlName, isControl } from "../segment/rows";
import type { Transaction } from "../segment/transactions";
import { committed } from "../state/committed";
import { rows, transactions } from "../state/log";
import { select, selected } from "../state/selection";
import { offsets } from "./batches";
import { Grid } from "./grid";

const COLUMNS = ["Producer", "Outcome", "From", "Batches", "Records"] as const;

export function TransactionPane() {
  const { list } = transactions();
  const current = transactions().of(selected.value);
  return (
    <div class="transactions">
      <Committed />
      {list.length === 0 ? (
        <p class="empty">No transactional batches in these files.</p>
      ) : (
        <>
          <Grid
            id="transactions"
            label="Transactions"
            className="transaction-list"
            count={list.length}
            rowHeight={26}
            cursor={current}
            columnCount={COLUMNS.length}
            columns={COLUMNS.map((name, i) => (
              <div role="columnheader" class={i > 1 ? "num" : ""} key={name}>
                {name}
              </div>
            ))}
            cells={(i) => <Cells transaction={list[i] as Transaction} />}
            onMove={(i) => select((list[i] as Transaction).firstRow)}
          />
          {current >= 0 && <Steps number={current} />}
        </>
      )}
    </div>
  );
}

function Committed() {
  const stable = transactions().lastStableOffset;
  const open = transactions().list.filter(({ outcome }) => outcome === "open").length;
  return (
    <div class="read-committed">
      <label>
        <input
          type="checkbox"
          checked={committed.value}
          onChange={(event) => (committed.value = event.currentTarget.checked)}
        />
        Show as read_committed
      </label>
      <p>
        {open === 0
          ? "No transaction is open at the end of these files, so all offsets are stable."
          : `${plural(open, "transaction")} without a marker in these files. Last stable offset ${stable}: ` +
            "a read_committed consumer gets nothing from there on."}
      </p>
    </div>
  );
}

function Cells({ transaction }: { transaction: Transaction }) {
  const { producerId, producerEpoch, outcome, firstOffset, batches, records } = transaction;
  return (
    <>
      <div role="gridcell">
        {String(producerId)}/{producerEpoch}
      </div>
      <div role="gridcell">
        <span class={`flag ${outcome}`}>{outcome}</span>
      </div>
      <div role="gridcell" class="num">
        {String(firstOffset)}
      </div>
      <div role="gridcell" class="num">
        {integer(batches)}
      </div>
      <div role="gridcell" class="num">
        {integer(records)}
      </div>
    </>
  );
}

/** More are not listed one by one. */
const MOST_STEPS = 500;

function Steps({ number }: { number: number }) {
  const transaction = transactions().list[number] as Transaction;
  const table = rows();
  const steps: number[] = [];
  for (
    let row = transaction.firstRow;
    row <= transaction.lastRow && steps.length < MOST_STEPS;
    row++
  ) {
    if (transactions().of(row) === number) steps.push(row);
  }
  return (
    <section class="steps" aria-label="The selected transaction" tabIndex={0}>
      <h3>
        Producer {String(transaction.producerId)}, epoch {transaction.producerEpoch}
      </h3>
      <ol>
        {steps.map((row) => {
          const at = table.at(row);
          const what = isControl(at)
            ? `${controlName(at.control)} marker`
            : plural(at.count, "record");
          return (
            <li key={row}>
              <button
                type="button"
                aria-current={row === selected.value}
                onClick={() => select(row)}
              >
                <span class="num">{offsets(at)}</span> {what}
              </button>
            </li>
          );
        })}
        {transaction.outcome === "open" && <li class="open">still open: no marker follows</li>}
        {transaction.batches === 0 && (
          <li class="open">its records stand before these files, or there are none</li>
        )}
      </ol>
      {transaction.batches + 1 > MOST_STEPS && (
        <p class="note">The first {MOST_STEPS} are listed.</p>
      )}
    </section>
  );
}
