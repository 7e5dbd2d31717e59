/** The search box. */

import {
  by,
  type By,
  complaint,
  contains,
  forget,
  hits,
  run,
  searching,
  step,
  stopSearching,
  summary,
  text,
} from "../state/search";

const HINTS: Record<By, string> = {
  offset: "offset",
  time: "2023-11-14 22:13:20",
  key: "key, or 0x and hex",
};

export function Search() {
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <select
        aria-label="Search by"
        value={by.value}
        onChange={(event) => {
          by.value = event.currentTarget.value as By;
          forget();
        }}
      >
        <option value="offset">Offset</option>
        <option value="time">Time</option>
        <option value="key">Key</option>
      </select>
      <input
        id="search"
        type="text"
        aria-label={`Search by ${by.value}`}
        aria-invalid={complaint.value !== ""}
        aria-describedby="search-result"
        placeholder={HINTS[by.value]}
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          forget();
        }}
      />
      {by.value === "key" && (
        <label class="contains">
          <input
            type="checkbox"
            checked={contains.value}
            onChange={(event) => {
              contains.value = event.currentTarget.checked;
              forget();
            }}
          />
          part of it
        </label>
      )}
      <button type="submit">Find</button>
      {searching.value !== null && (
        <button type="button" class="quiet" onClick={stopSearching}>
          Stop{" "}
          <span class="num">
            {Math.floor((100 * searching.value.done) / Math.max(1, searching.value.total))}%
          </span>
        </button>
      )}
      <span class="found">
        {hits.value.length > 0 && <Steps />}
        <output id="search-result" class={complaint.value === "" ? "" : "complaint"}>
          {summary.value}
        </output>
      </span>
    </form>
  );
}

function Steps() {
  return (
    <>
      <button type="button" class="quiet" aria-label="Previous hit" onClick={() => void step(-1)}>
        ↑
      </button>
      <button type="button" class="quiet" aria-label="Next hit" onClick={() => void step(1)}>
        ↓
      </button>
    </>
  );
}
