import { useEffect, useRef, useState } from 'preact/hooks'
import { GENERAL_GOALS, type Goal, goalFinder, searchGoals } from '../data/goals.ts'
import { useRoute } from '../data/location.tsx'
import { attempt } from '../data/notices.ts'

/** Goes to any page, operation, record or request by its name. Ctrl+K, or Command+K, opens it. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [goals, setGoals] = useState<readonly Goal[]>([])
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const route = useRoute()
  useEffect(() => {
    const open = () => {
      const { known, asked } = goalFinder.value
      const first = [...known(), ...GENERAL_GOALS]
      setGoals(first)
      void attempt(async () => {
        const more = (await asked?.()) ?? []
        setGoals((current) => (current === first ? [...first, ...more] : current))
      })
      setText('')
      setAt(0)
      if (dialog.current?.open === false) dialog.current.showModal()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', onKey)
    addEventListener('backlot-palette', open)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('backlot-palette', open)
    }
  }, [])
  const found = searchGoals(goals, text)
  const active = Math.min(at, Math.max(0, found.length - 1))
  const go = (goal: Goal | undefined) => {
    if (goal === undefined) return
    dialog.current?.close()
    route(goal.href)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt((active + step + found.length) % Math.max(1, found.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(found[active])
    }
  }
  return (
    <dialog class="dialog palette" ref={dialog} aria-label="Go to">
      <label class="field">
        Go to
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="goals"
          aria-autocomplete="list"
          aria-activedescendant={found.length === 0 ? undefined : `goal-${active}`}
          placeholder="a page, an operation, a record, a request"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <div id="goals" class="goals" role="listbox" aria-label="Places">
        {found.map((goal, index) => (
          <div
            id={`goal-${index}`}
            key={goal.href}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onPointerUp={() => go(goal)}
          >
            <span class="long">{goal.name}</span> <span class="faint">{goal.kind}</span>
          </div>
        ))}
      </div>
      <p class="hint" role="status">
        {found.length === 0 ? 'Nothing has such a name.' : `${found.length} shown`}
      </p>
    </dialog>
  )
}
