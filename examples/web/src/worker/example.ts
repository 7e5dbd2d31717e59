/** A small log to look at for those who have none at hand, written by kcodec itself. */

import { type EncodeOptions, encodeRecords, type NewRecord } from "./codec";

const START = 1_700_000_000_000;
const CITIES = ["Lisboa", "Zürich", "東京", "São Paulo", "Kraków"];
const COMMIT = Uint8Array.of(0, 0, 0, 1);
const ABORT = Uint8Array.of(0, 0, 0, 0);
/** Version 0, coordinator epoch 0. */
const MARKER = new Uint8Array(6);

export function example(): Blob {
  const entries: Uint8Array[] = [];
  let offset = 0;
  const write = (records: NewRecord[], options: EncodeOptions = {}) => {
    entries.push(encodeRecords(records, { baseOffset: offset, leaderEpoch: 3, ...options }));
    offset += records.length;
  };
  const orders = (count: number) => Array.from({ length: count }, (_, i) => order(offset + i));
  const of = (producerId: number, baseSequence: number) => ({
    producerId,
    producerEpoch: 0,
    baseSequence,
    transactional: true,
  });
  const mark = (producerId: number, key: Uint8Array) =>
    write([{ key, value: MARKER, timestamp: START + offset * 250 }], {
      ...of(producerId, -1),
      control: true,
    });

  // headers came with magic 2
  write([{ ...order(0), headers: [] }], { magic: 1, leaderEpoch: -1 });
  write(orders(12));
  write(orders(60), { codec: "gzip" });
  write(orders(40), { codec: "snappy" });
  write(orders(90), { codec: "lz4" });
  write(orders(8), { ...of(7001, 0), codec: "lz4" });
  write(orders(5), { ...of(7002, 0), codec: "zstd" });
  write(orders(9), { ...of(7001, 8), codec: "lz4" });
  mark(7001, COMMIT);
  mark(7002, ABORT);
  write(orders(140), { codec: "zstd" });
  write([{ key: "order-3", value: null, timestamp: START + offset * 250 }]);
  write(orders(6), of(7003, 0));
  write(orders(30), { codec: "zstd" });
  return new Blob(entries as BlobPart[]);
}

function order(number: number): NewRecord {
  const value = {
    order: 100_000 + number,
    city: CITIES[number % CITIES.length],
    items: [{ sku: `A-${(number * 37) % 900}`, quantity: 1 + (number % 4) }],
    price: ((number * 7919) % 20_000) / 100,
  };
  const traced = number % 3 === 0;
  return {
    key: `order-${number}`,
    value: JSON.stringify(value),
    timestamp: START + number * 250,
    headers: traced
      ? [
          ["trace", `00-${number.toString(16).padStart(8, "0")}`],
          ["source", "web"],
        ]
      : [],
  };
}
