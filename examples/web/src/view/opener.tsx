/** How files come in: dropped, chosen or pasted. */

import { createRef } from "preact";
import { useEffect, useState } from "preact/hooks";
import { parsePaste } from "../segment/paste";
import { open, status } from "../state/log";
import { ask } from "../worker/client";
import { show } from "./dialogs";
import { filesOf } from "./drop";

/** The browser's own way to choose files; it stands on the page, out of sight. */
const chooser = createRef<HTMLInputElement>();

export function chooseFiles(): void {
  chooser.current?.click();
}

function openFiles(list: Iterable<File>): void {
  const chosen = [...list].map((file) => ({ name: file.name, data: file as Blob }));
  // a partition's folder holds indexes too, which are not record sets
  const logs = chosen.filter(({ name }) => name.endsWith(".log"));
  if (chosen.length > 0) void open(logs.length > 0 ? logs : chosen);
}

/** Opens text that is hex or base64; tells whether it was. */
export function openText(text: string): boolean {
  const pasted = parsePaste(text);
  if (pasted === null) return false;
  void open([{ name: `pasted ${pasted.form}`, data: new Blob([pasted.bytes as BlobPart]) }]);
  return true;
}

/** Opens what came in without a dialog that could say why it was refused. */
function openFilesOrText(files: readonly File[], text: string): void {
  if (files.length > 0) openFiles(files);
  else if (!openText(text)) status.value = "This is no file, and neither hex nor base64";
}

async function openExample(): Promise<void> {
  try {
    await open([{ name: "example.log", data: await ask("example", null) }]);
  } catch (error) {
    refuse(error);
  }
}

function refuse(error: unknown): void {
  status.value = `Could not read: ${String(error)}`;
}

/** Takes files that are chosen or dropped anywhere on the page, and text pasted outside of a field. */
export function Intake() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const enter = (event: DragEvent) => {
      event.preventDefault();
      depth++;
      setOver(true);
    };
    const leave = () => {
      depth--;
      if (depth === 0) setOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      depth = 0;
      setOver(false);
      const { dataTransfer } = event;
      if (dataTransfer === null) return;
      const text = dataTransfer.getData("text");
      filesOf(dataTransfer).then((files) => openFilesOrText(files, text), refuse);
    };
    const paste = (event: ClipboardEvent) => {
      const field =
        event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (field || event.clipboardData === null) return;
      openFilesOrText([...event.clipboardData.files], event.clipboardData.getData("text"));
    };
    const over = (event: DragEvent) => event.preventDefault();
    const listeners = { dragenter: enter, dragleave: leave, dragover: over, drop, paste } as const;
    for (const [name, listener] of Object.entries(listeners))
      addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        removeEventListener(name, listener as EventListener);
    };
  }, []);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          openFiles(currentTarget.files ?? []);
          // so that the same file can be opened again
          currentTarget.value = "";
        }}
      />
      {over && (
        <div class="drop" aria-hidden="true">
          Drop to open
        </div>
      )}
    </>
  );
}

export function Welcome() {
  return (
    <main class="welcome">
      <h2>Open a segment file</h2>
      <p>
        Drop a <code>.log</code> file of a Kafka partition here, several of them, or the folder of
        the partition. Or paste a record set as hex or base64. Batches, records, transactions and
        every byte of them can be looked at.
      </p>
      <p class="choices">
        <button type="button" class="primary" onClick={chooseFiles}>
          Choose files
        </button>
        <button type="button" onClick={() => show("paste")}>
          Paste bytes
        </button>
        <button type="button" onClick={() => void openExample()}>
          Look at an example
        </button>
      </p>
      <p class="promise">
        Nothing leaves this machine. The file is read here, in this browser, by a worker of this
        page; the page's security policy allows it no connection to anything but its own files.
      </p>
      <ul>
        <li>Magic 0, 1 and 2; gzip, snappy, lz4 and zstd; checksums verified.</li>
        <li>Large files are read a few megabytes at a time, and never kept in memory.</li>
        <li>
          Everything works from the keyboard: press <kbd>?</kbd> for the list.
        </li>
      </ul>
    </main>
  );
}
