/**
 * A table of rows with a cursor, as an ARIA grid.
 *
 * The grid itself has the focus; `aria-activedescendant` names the row that the arrow keys move.
 */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { classes } from "./classes";
import { useVirtual } from "./virtual";

interface Props {
  id: string;
  label: string;
  count: number;
  rowHeight: number;
  /** The row with the cursor, -1 for none. */
  cursor: number;
  /** What the rows are of: when it changes, the cursor is brought into sight again. */
  content?: unknown;
  columns: ComponentChildren;
  columnCount: number;
  className?: string;
  multiple?: boolean;
  isSelected?: (row: number) => boolean;
  rowClass?: (row: number) => string;
  cells: (row: number) => ComponentChildren;
  onMove: (row: number, extend: boolean) => void;
  onOpen?: (row: number) => void;
}

export function Grid(props: Props) {
  const { id, count, rowHeight, cursor, onMove, onOpen } = props;
  const head = useRef<HTMLDivElement>(null);
  const { box, onScroll, reveal, first, last, drawn, place, page } = useVirtual(
    count,
    rowHeight,
    head.current?.offsetHeight ?? 0,
  );

  useLayoutEffect(() => {
    if (cursor >= 0) reveal(cursor);
    // only a cursor that moved pulls the view along
  }, [cursor, rowHeight, props.content]);

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowUp: cursor - 1,
      ArrowDown: cursor + 1,
      PageUp: cursor - page,
      PageDown: cursor + page,
      Home: 0,
      End: count - 1,
    };
    const to = steps[event.key];
    if (event.key === "Enter" && cursor >= 0) onOpen?.(cursor);
    else if (to === undefined || count === 0 || event.altKey || event.metaKey) return;
    else onMove(Math.max(0, Math.min(count - 1, to)), event.shiftKey);
    event.preventDefault();
  };

  const rows = [];
  for (let row = first; row < last; row++) {
    const isSelected = props.isSelected?.(row) ?? row === cursor;
    rows.push(
      <div
        key={row}
        id={`${id}-${row}`}
        role="row"
        aria-rowindex={row + 2}
        aria-selected={isSelected}
        class={classes(
          "row",
          isSelected && "selected",
          row === cursor && "cursor",
          props.rowClass?.(row),
        )}
        style={place(row)}
        onClick={(event) => onMove(row, event.shiftKey)}
        onDblClick={() => onOpen?.(row)}
      >
        {props.cells(row)}
      </div>,
    );
  }

  return (
    <div
      ref={box}
      id={id}
      class={`grid ${props.className ?? ""}`}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={count + 1}
      aria-colcount={props.columnCount}
      aria-multiselectable={props.multiple}
      aria-activedescendant={cursor >= first && cursor < last ? `${id}-${cursor}` : undefined}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div class="head" role="rowgroup" ref={head}>
        <div class="row" role="row" aria-rowindex={1}>
          {props.columns}
        </div>
      </div>
      <div class="body" role="rowgroup" style={{ height: `${drawn}px` }}>
        {rows}
      </div>
    </div>
  );
}
