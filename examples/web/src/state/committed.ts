/** Whether records are shown as a read_committed consumer gets them. */

import { signal } from "@preact/signals";

export const committed = signal(false);
