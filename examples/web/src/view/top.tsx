/** The bar at the top: what is open, what to open, search and settings. */

import { bytes, integer, ratio } from "../segment/format";
import { cancelReading, files, progress, totals, totalSize } from "../state/log";
import { type Theme, theme, zone } from "../state/settings";
import { chooseFiles } from "./opener";
import { show } from "./dialogs";
import { Search } from "./search";

const THEMES: readonly Theme[] = ["system", "light", "dark"];
const THEME_NAMES: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

export function Top() {
  const open = files.value.length > 0;
  return (
    <header class="top">
      <div class="brand">
        <h1>Kafka segments</h1>
        {open && <Name />}
      </div>
      {open && <Search />}
      <div class="tools">
        <button type="button" onClick={chooseFiles}>
          Open
        </button>
        <button type="button" onClick={() => show("paste")}>
          Paste
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={`Times in ${zone.value === "utc" ? "UTC" : "local time"}, change`}
          onClick={() => (zone.value = zone.value === "utc" ? "local" : "utc")}
        >
          {zone.value === "utc" ? "UTC" : "Local"}
        </button>
        <select
          aria-label="Colours"
          value={theme.value}
          onChange={(event) => (theme.value = event.currentTarget.value as Theme)}
        >
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {THEME_NAMES[name]}
            </option>
          ))}
        </select>
        <button type="button" class="quiet" aria-label="Help" onClick={() => show("help")}>
          ?
        </button>
      </div>
    </header>
  );
}

function Name() {
  const [first, ...others] = files.value;
  return (
    <span class="name" title={files.value.map(({ name }) => name).join("\n")}>
      {first?.name}
      {others.length > 0 && ` and ${others.length} more`}
    </span>
  );
}

export function Figures() {
  const { batches, records, packed, plain, faulty, firstOffset, lastOffset } = totals.value;
  const all: [string, string, string?][] = [
    [batches === 1 ? "batch" : "batches", integer(batches)],
    [records === 1 ? "record" : "records", integer(records)],
    ["offsets", firstOffset === null ? "–" : `${firstOffset}–${lastOffset}`],
    ["in the file", bytes(totalSize())],
    ["decompressed", bytes(plain), "wide"],
    ["ratio", packed === 0 || plain === 0 ? "–" : ratio(plain, packed)],
    [faulty === 1 ? "error" : "errors", integer(faulty), faulty > 0 ? "fault" : "wide"],
  ];
  return (
    <dl class="figures">
      {all.map(([name, value, kind]) => (
        <div key={name} class={kind}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Reading() {
  if (progress.value === null) return null;
  const { done, total } = progress.value;
  return (
    <div class="reading-bar">
      <progress aria-label="Reading the file" value={done} max={Math.max(1, total)} />
      <span class="num">
        {bytes(done)} of {bytes(total)}
      </span>
      <button type="button" class="quiet" onClick={cancelReading}>
        Stop
      </button>
    </div>
  );
}
