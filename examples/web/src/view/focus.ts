/** So long something that is to have the focus may take to appear. */
const PATIENCE_MS = 1000;

/** Puts the focus on an element now, or as soon as it is there. */
export function focusOn(selector: string): void {
  const until = performance.now() + PATIENCE_MS;
  const attempt = () => {
    const element = document.querySelector<HTMLElement>(selector);
    if (element !== null) element.focus();
    else if (performance.now() < until) requestAnimationFrame(attempt);
  };
  attempt();
}
