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

const FIELDS = 'input, textarea, select, [contenteditable]'

/** Takes the page's keys that are pressed outside fields, without Ctrl, Alt and Command. */
export function useKeys(take: (event: KeyboardEvent) => void): void {
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest(FIELDS) !== null
      if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) latest.current(event)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** The list of keyboard shortcuts. `?` opens it. */
export function KeySheet() {
  const dialog = useRef<HTMLDialogElement>(null)
  useKeys(({ key }) => {
    if (key === '?') dialog.current?.showModal()
  })
  useEffect(() => {
    const onOpen = () => dialog.current?.showModal()
    addEventListener('backlot-keys', onOpen)
    return () => removeEventListener('backlot-keys', onOpen)
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
