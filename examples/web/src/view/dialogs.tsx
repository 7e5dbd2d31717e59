/** The dialogs for pasting and for help. */

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { letters } from "../state/settings";
import { KEYS } from "./keyboard";
import { openText } from "./opener";

export type DialogName = "paste" | "help";
const shown = signal<DialogName | null>(null);
const refused = signal(false);

export function show(name: DialogName): void {
  refused.value = false;
  shown.value = name;
}

export function Dialogs() {
  if (shown.value === "paste") return <Paste />;
  if (shown.value === "help") return <Help />;
  return null;
}

function Dialog({ title, children }: { title: string; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} aria-labelledby="dialog-title" onClose={() => (shown.value = null)}>
      <div class="bar">
        <h2 id="dialog-title">{title}</h2>
        <button
          type="button"
          class="quiet"
          aria-label="Close"
          onClick={() => element.current?.close()}
        >
          ✕
        </button>
      </div>
      {children}
    </dialog>
  );
}

function Paste() {
  const field = useRef<HTMLTextAreaElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    if (openText(field.current?.value ?? "")) shown.value = null;
    else refused.value = true;
  };
  return (
    <Dialog title="Paste a record set">
      <form onSubmit={submit}>
        <label for="pasted">
          Record batches as hex, as a hex dump (xxd, hexdump -C) or as base64
        </label>
        <textarea
          id="pasted"
          ref={field}
          rows={10}
          autofocus
          spellcheck={false}
          autocomplete="off"
          aria-invalid={refused.value}
          aria-describedby="pasted-problem"
        />
        <p id="pasted-problem" class="complaint" role="alert">
          {refused.value && "This is neither hex nor base64."}
        </p>
        <button type="submit" class="primary">
          Open
        </button>
      </form>
    </Dialog>
  );
}

function Help() {
  return (
    <Dialog title="Keys">
      <dl class="keys-list">
        {KEYS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={letters.value === "on"}
          onChange={(event) => (letters.value = event.currentTarget.checked ? "on" : "off")}
        />
        Single letters work as commands
      </label>
    </Dialog>
  );
}
