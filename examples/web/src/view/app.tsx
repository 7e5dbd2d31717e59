/** The page. */

import { useLayoutEffect } from "preact/hooks";
import { files, status } from "../state/log";
import { tab } from "../state/selection";
import { narrow, small, split } from "../state/settings";
import { Batches } from "./batches";
import { Detail } from "./detail";
import { Dialogs } from "./dialogs";
import { onKey } from "./keyboard";
import { Intake, Welcome } from "./opener";
import { Picture } from "./picture";
import { Splitter } from "./splitter";
import { Figures, Reading, Top } from "./top";

export function App() {
  useLayoutEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <Top />
      {files.value.length === 0 ? <Welcome /> : <Log />}
      <footer class="foot">
        <span class="status" role="status">
          {status.value}
        </span>
        <span class="promise">Nothing leaves this machine</span>
      </footer>
      <Dialogs />
      <Intake />
    </>
  );
}

function Log() {
  return (
    <main class="log">
      <Reading />
      {(!small.value || tab.value === "batches") && (
        <>
          <Figures />
          <Picture />
        </>
      )}
      <div
        class="panes"
        style={
          narrow.value
            ? {}
            : { gridTemplateColumns: `${split.value}fr 9px ${100 - Number(split.value)}fr` }
        }
      >
        {!narrow.value && (
          <section class="left" aria-label="Batches">
            <Batches />
          </section>
        )}
        {!narrow.value && <Splitter />}
        <Detail />
      </div>
    </main>
  );
}
