/** Keys that work anywhere on the page. Those of a table or a dump stand with it. */

import { committed } from "../state/committed";
import { cancelReading, progress } from "../state/log";
import { searching, step, stopSearching } from "../state/search";
import { tab, type Tab } from "../state/selection";
import { letters, narrow, zone } from "../state/settings";
import { show } from "./dialogs";
import { focusOn } from "./focus";
import { chooseFiles } from "./opener";

export const KEYS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ["↑", "↓"], does: "move in a table; with Shift select several batches" },
  { keys: ["←", "→"], does: "move from field to field in the bytes, or over the picture" },
  { keys: ["Enter"], does: "from a batch to its records" },
  { keys: ["/"], does: "search" },
  { keys: ["n", "N"], does: "next and previous hit" },
  { keys: ["b", "r", "h", "x"], does: "batches, records, bytes in hex, transactions" },
  { keys: ["c"], does: "show as read_committed, or everything" },
  { keys: ["t"], does: "UTC or local time" },
  { keys: ["o", "p"], does: "open files, paste bytes" },
  { keys: ["Esc"], does: "stop reading or searching, close a dialog" },
  { keys: ["?"], does: "this list" },
];

/** Shows a tab and puts the focus in it. */
function go(to: Tab, selector: string): void {
  if (to !== "batches" || narrow.value) tab.value = to;
  focusOn(selector);
}

const COMMANDS: Record<string, () => void> = {
  "/": () => document.querySelector<HTMLInputElement>("#search")?.select(),
  "?": () => show("help"),
  n: () => void step(1),
  N: () => void step(-1),
  b: () => go("batches", "#batches"),
  r: () => go("records", "#records"),
  h: () => go("bytes", ".lines"),
  x: () => go("transactions", "#transactions"),
  c: () => (committed.value = !committed.value),
  t: () => (zone.value = zone.value === "utc" ? "local" : "utc"),
  o: chooseFiles,
  p: () => show("paste"),
};

export function onKey(event: KeyboardEvent): void {
  if (event.key === "Escape") {
    if (searching.value !== null) stopSearching();
    else if (progress.value !== null) cancelReading();
    else if (document.activeElement?.id === "search") document.getElementById("batches")?.focus();
    return;
  }
  const target = event.target as HTMLElement;
  const typing = target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
  if (
    typing ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    document.querySelector("dialog[open]")
  )
    return;
  if (letters.value === "off") return;
  const command = COMMANDS[event.key];
  if (command === undefined) return;
  event.preventDefault();
  command();
}
