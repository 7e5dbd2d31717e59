// Small inputs that broke other codecs, each with the right answer, and for a bad one the exact fault.

import { dataOf, indices, ok, parse, same, thrown, toHex } from "./check.mjs";

/** What the bombs are to be stopped at. */
export const LIMIT = 16 * 1024 * 1024;

const limits = { maxBatchBytes: LIMIT, maxTotalBytes: LIMIT };
/** Messages of the protocol, which this package does not read. */
const protocol = new Set(["fetch_response", "frame", "api_response", "produce_request"]);

/** A test a case. */
export async function caseTests(kcodec, files) {
  const manifest = parse(await files.text("cases/manifest.json"));
  const faults = parse(await files.text("cases/faults.json"));
  const mine = manifest.filter(({ id, input }) => {
    ok(input === "records" || protocol.has(input), `${id}: a kind of input without a test: ${input}`);
    return input === "records";
  });
  return mine.map(({ id, file, expected }) => ({
    name: `case ${file}`,
    async run() {
      check(kcodec, await files.bytes(`cases/${file}`), expected, faults[file]);
      // Whatever it was, the next call works.
      same(kcodec.crc32c(new TextEncoder().encode("123456789")), 0xe306_9283, `${id}: the next call`);
    },
  }));
}

function check(kcodec, bytes, expected, fault) {
  const kept = kcodec.decodeRecords(bytes, { limits, keepGoing: true });
  switch (expected.outcome) {
    case "records":
    case "partial":
    case "flagged":
    case "validate_reject": {
      same(kept.faults, [], "faults");
      const records = kcodec.decodeRecords(bytes, { limits, verifyCrc: false });
      same(dataOf(records, toHex), dataOf(kept, toHex), "with the checksums compared and not");
      checkGood(records, expected);
      break;
    }
    case "reject":
    case "bomb": {
      const error = thrown(() => kcodec.decodeRecords(bytes, { limits }));
      ok(error instanceof kcodec.KcodecError, `threw ${error}`);
      same(describe(error), fault, "the fault");
      same(describe(kept.faults[0]), fault, "the fault that is kept");
      const batch = kept.batches[error.batch];
      same(describe(batch === undefined ? kept.tail.error : batch.error), fault, "the fault of the batch");
      if (expected.records !== undefined) {
        same(dataOf(kept, toHex).slice(0, expected.records.length), expected.records, "records before the fault");
      }
      ok(expected.outcome !== "bomb" || error.code.startsWith("LIMIT"), error.code);
      // Validating keeps nothing, so that the limit of a call is never reached.
      const valid = thrown(() => kcodec.validate(bytes, "full", { limits })) === null;
      ok(!valid || error.code === "LIMIT_TOTAL_BYTES", "validate accepts it");
      break;
    }
    default:
      throw new Error(`an outcome without a test: ${expected.outcome}`);
  }
  checkProduce(kcodec, bytes, expected);
}

function checkGood(records, expected) {
  if (expected.records !== undefined) same(dataOf(records, toHex), expected.records, "records");
  if (expected.next_offset !== undefined && records.nextOffset !== null) {
    same(records.nextOffset, expected.next_offset, "next offset");
  }
  same(records.tail.kind === "partial" || records.tail.kind === "zeros", expected.outcome === "partial", "tail");
  const first = records.batches[0];
  for (const [check, want] of Object.entries(expected.check ?? {})) {
    switch (check) {
      case "control": {
        const control = records.batches.filter((batch) => batch.control);
        const found = control.flatMap((batch) => indices(batch).map((i) => [records.offset(i), batch.controlType]));
        same(found, want, check);
        break;
      }
      case "delete_horizon_ms":
        same(first.deleteHorizon, want, check);
        break;
      case "last_sequence":
        same(first.lastSequence, want, check);
        break;
      case "offsets_assigned":
        same(!first.offsetsUnassigned, want, check);
        break;
      case "count":
        same(dataOf(records, toHex).length, want, check);
        break;
      default:
        throw new Error(`a check without a test: ${check}`);
    }
  }
}

const reasons = { offsets: "PRODUCE_OFFSETS", max_timestamp: "PRODUCE_MAX_TIMESTAMP" };

function checkProduce(kcodec, bytes, expected) {
  const refused = thrown(() => kcodec.validate(bytes, "produce", { limits }));
  if (expected.outcome === "reject") ok(refused !== null, "a broker would accept it");
  if (expected.outcome === "validate_reject") {
    ok(expected.reason in reasons, `a reason without a test: ${expected.reason}`);
    same(refused?.code, reasons[expected.reason], "why a broker refuses it");
  }
}

/** A fault as `faults.json` has it. */
function describe(error) {
  const { code, number, position } = error;
  const { batch = null, record = null, inPayload, nextOffset = null } = error;
  return { code, number, batch, record, position, in_payload: inPayload, next_offset: nextOffset };
}
