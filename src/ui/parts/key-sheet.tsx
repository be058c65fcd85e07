import { useEffect, useRef } from 'preact/hooks'

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['/', 'go to the filter'],
  ['j k ↓ ↑', 'move from row to row'],
  ['Enter', 'open the row'],
  ['Space', 'select the record of the row'],
  ['Esc', 'close what is open, and go back to its row'],
  [
    'g then t d r o w p u a l',
    'timeline, data, requests, operations, webhooks, plan, rules, access, list of simulations',
  ],
  ['Ctrl+K', 'go to any page, operation, record or request'],
  ['f', 'go to the fast-forward buttons'],
  ['.', 'pause and resume live updates'],
  ['c', 'copy what is open'],
  ['Ctrl+Enter', 'save, in a form'],
  ['?', 'this sheet'],
]

/** Whether the page's keyboard shortcuts must ignore an element. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** The list of keyboard shortcuts. `?` opens it. */
export function KeySheet() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTyping(event.target)) dialog.current?.showModal()
    }
    const onOpen = () => dialog.current?.showModal()
    addEventListener('keydown', onKey)
    addEventListener('backlot-keys', onOpen)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('backlot-keys', onOpen)
    }
  }, [])
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="button button-main" type="submit">
          Close
        </button>
      </form>
    </dialog>
  )
}
