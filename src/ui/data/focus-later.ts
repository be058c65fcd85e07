/** Focuses an element after the next render, since the focused element disappears. */
export function focusLater(selector: string): void {
  setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus())
}
