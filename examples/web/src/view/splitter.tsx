/** The line between the table and the detail, to be dragged or moved by the arrow keys. */

import { split } from "../state/settings";

const LEAST = 25;
const MOST = 75;

export function Splitter() {
  const set = (percent: number) =>
    (split.value = String(Math.round(Math.max(LEAST, Math.min(MOST, percent)))));
  const onPointerDown = (event: PointerEvent) => {
    const handle = event.currentTarget as HTMLElement;
    const { left, width } = (handle.parentElement as HTMLElement).getBoundingClientRect();
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = ({ clientX }) => set(((clientX - left) / width) * 100);
    handle.onpointerup = () => (handle.onpointermove = null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
    if (step === undefined) return;
    set(Number(split.value) + step);
    event.preventDefault();
  };
  return (
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-label="Width of the table"
      aria-orientation="vertical"
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={Number(split.value)}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
