/** One record of an iteration. */

import type { Records } from "./records.js";
import type { KafkaRecord } from "./types.js";

/**
 * The cursor of an iteration: one object that is moved on from record to record. Its fields are made when
 * they are asked for. What they return may be kept, the cursor not.
 */
export class RecordRef {
  readonly #records: Records;
  /** @internal */
  _index = 0;

  /** @internal */
  constructor(records: Records) {
    this.#records = records;
  }

  /** The record's place among all of its `Records`. */
  get index(): number {
    return this._index;
  }

  get key(): Uint8Array | null {
    return this.#records.key(this._index);
  }

  get value(): Uint8Array | null {
    return this.#records.value(this._index);
  }

  /** Throws UNSAFE_INTEGER for one beyond 2^53; see `offsetBig`. */
  get offset(): number {
    return this.#records.offset(this._index);
  }

  get offsetBig(): bigint {
    return this.#records.offsetBig(this._index);
  }

  /** Milliseconds since the epoch, −1 for none. Throws UNSAFE_INTEGER beyond 2^53; see `timestampBig`. */
  get timestamp(): number {
    return this.#records.timestamp(this._index);
  }

  get timestampBig(): bigint {
    return this.#records.timestampBig(this._index);
  }

  /** In the order of the wire, duplicates kept. */
  headers(): KafkaRecord["headers"] {
    return this.#records.headers(this._index);
  }

  /** The record as an object of its own, to be kept. */
  toObject(): KafkaRecord {
    return this.#records.at(this._index);
  }
}
