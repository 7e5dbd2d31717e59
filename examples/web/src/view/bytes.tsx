/** The bytes of the selected entry: as they stand in the file, and decompressed. */

import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { bytes, plural } from "../segment/format";
import { fieldsOf, fieldsOfPayload } from "../segment/fields";
import { codecName, isControl, Kind } from "../segment/rows";
import { type Loaded, record, wanted } from "../state/selection";
import { Dump } from "./dump";

type Side = "file" | "payload";

export function Bytes({ loaded }: { loaded: Loaded }) {
  const { of, raw, payload, fault } = loaded;
  const packed = of.kind === Kind.Batch && of.codec !== 0 && payload !== null;
  const [side, setSide] = useState<Side>("file");
  const rawFields = useMemo(() => fieldsOf(raw), [raw]);
  const payloadFields = useMemo(
    () => (packed ? fieldsOfPayload(payload, of.magic, isControl(of)) : null),
    [payload],
  );
  const shown = side === "payload" && payloadFields !== null && payload !== null;
  const fields = shown ? payloadFields : rawFields;
  const data = shown ? payload : raw;
  const faultHere = fault !== null && fault.inPayload === shown ? fault.at : -1;

  const inPayload = wanted.value?.inPayload ?? fault?.inPayload ?? false;
  useLayoutEffect(() => setSide(inPayload && packed ? "payload" : "file"), [raw, wanted.value]);

  const target =
    wanted.value !== null && wanted.value.inPayload === shown ? wanted.value.byte : faultHere;
  const recordField = record.value >= 0 ? fields.ofRecord(record.value) : -1;
  return (
    <>
      {packed && (
        <div class="sides" role="group" aria-label="Which bytes">
          <button type="button" aria-pressed={!shown} onClick={() => setSide("file")}>
            In the file{" "}
            <span>
              {bytes(raw.length)}, {codecName(of.codec)}
            </span>
          </button>
          <button type="button" aria-pressed={shown} onClick={() => setSide("payload")}>
            Decompressed{" "}
            <span>
              {bytes(payload.length)}, {plural(of.count, "record")}
            </span>
          </button>
        </div>
      )}
      <Dump
        data={data}
        fields={fields}
        base={shown ? 0 : of.position}
        fault={faultHere}
        start={
          target >= 0 ? fields.at(Math.min(target, data.length - 1)) : Math.max(0, recordField)
        }
      />
      {raw.length < of.size && (
        <p class="note">
          The first {bytes(raw.length)} of {bytes(of.size)}.
        </p>
      )}
    </>
  );
}
