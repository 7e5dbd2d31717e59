/**
 * Draws only the rows in sight.
 *
 * All rows have one height, so a row's place is a product. Browsers give up on elements beyond some
 * ten million pixels; past that the scroll bar stands for more than it measures, and the wheel is
 * taken over so that it still moves row by row.
 */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const TALLEST = 8_000_000;
const MARGIN = 6;

/** `headHeight` is what stands over the rows and stays when they scroll. */
export function useVirtual(count: number, rowHeight: number, headHeight = 0) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400, width: 800 });
  const total = count * rowHeight;
  const drawn = Math.min(total, TALLEST);
  const room = Math.max(rowHeight, view.height - headHeight);
  const scale = total > drawn ? (total - room) / (drawn - room) : 1;
  /** Pixels of the whole list above the first one in sight. */
  const top = Math.min(view.top, Math.max(0, total - room));

  useLayoutEffect(() => {
    const element = box.current as HTMLDivElement;
    const measure = () =>
      setView((now) => ({ ...now, height: element.clientHeight, width: element.clientWidth }));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const scrollTo = (to: number) => {
    const element = box.current as HTMLDivElement;
    const clamped = Math.max(0, Math.min(to, total - room));
    element.scrollTop = clamped / scale;
    setView((now) => ({ ...now, top: clamped }));
  };

  const onScroll = () => {
    const { scrollTop } = box.current as HTMLDivElement;
    // where the bar is coarser than a row, a place that was asked for is kept
    if (scale === 1 || Math.abs(scrollTop - top / scale) > 1) {
      setView((now) => ({ ...now, top: scrollTop * scale }));
    }
  };

  useEffect(() => {
    if (scale === 1) return;
    const element = box.current as HTMLDivElement;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      scrollTo(top + event.deltaY);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  });

  /** Scrolls as little as it takes to bring a row into sight. */
  const reveal = (row: number) => {
    const at = row * rowHeight;
    if (at < top) scrollTo(at);
    else if (at + rowHeight > top + room) scrollTo(at + rowHeight - room);
  };

  return {
    box,
    width: view.width,
    onScroll,
    reveal,
    first: Math.max(0, Math.floor(top / rowHeight) - MARGIN),
    last: Math.min(count, Math.ceil((top + room) / rowHeight) + MARGIN),
    /** Height of the element that holds the rows. */
    drawn,
    /** Where a row goes in it. */
    place: (row: number) => ({
      transform: `translateY(${row * rowHeight - (top - top / scale)}px)`,
      height: `${rowHeight}px`,
    }),
    /** Rows that fit. */
    page: Math.max(1, Math.floor(room / rowHeight) - 1),
  };
}
