/** What the reader chose, kept in this browser. */

import { effect, signal } from "@preact/signals";
import type { Zone } from "../segment/format";

export type Theme = "system" | "light" | "dark";

function kept<T extends string>(name: string, fallback: T) {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(name);
  } catch {
    // without storage the choice lasts as long as the page
  }
  const choice = signal((stored ?? fallback) as T);
  effect(() => {
    const { value } = choice;
    try {
      localStorage.setItem(name, value);
    } catch {
      // as above
    }
  });
  return choice;
}

export const theme = kept<Theme>("theme", "system");
export const zone = kept<Zone>("zone", "utc");
/** Whether single letters work as commands. */
export const letters = kept<"on" | "off">("letters", "on");
/** Share of the width that the table of batches takes, in percent. */
export const split = kept<string>("split", "60");

effect(() => {
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});

function matches(query: string) {
  const media = matchMedia(query);
  const current = signal(media.matches);
  media.addEventListener("change", () => (current.value = media.matches));
  return current;
}

/** One pane at a time. */
export const narrow = matches("(max-width: 980px)");
/** Rows of two lines, and no picture beside the records. */
export const small = matches("(max-width: 620px)");
export const systemDark = matches("(prefers-color-scheme: dark)");
