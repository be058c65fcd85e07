/** Gives the focus to what is there after the next drawing: what had it goes. */
export function focusLater(selector: string): void {
  setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus())
}
