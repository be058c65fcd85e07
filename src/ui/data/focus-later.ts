/** Gives the focus to an element that the next drawing makes. The element that had the focus goes away. */
export function focusLater(selector: string): void {
  setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus())
}
