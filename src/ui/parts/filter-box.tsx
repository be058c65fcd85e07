import { useId, useRef, useState } from 'preact/hooks'
import { type Completion, completionsOf, type FilterWords } from '../data/complete-filter.ts'
import { Icon } from './icon.tsx'

interface FilterBoxProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly example: string
  /** What of how many is shown: `12 of 340`. */
  readonly shown: string
  /** Fields and values to go on with, asked for while it is typed; without it none are offered. */
  readonly words?: () => FilterWords
}

/** One line of text that a list is filtered by. `/` leads to it, and the arrow keys to what it can go on with. */
export function FilterBox({ value, onChange, example, shown, words }: FilterBoxProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [offered, setOffered] = useState<readonly Completion[]>([])
  const [at, setAt] = useState(-1)
  const offer = (line: string, caret: number | null) => {
    setAt(-1)
    setOffered(words === undefined ? [] : completionsOf(line, caret ?? line.length, words()))
  }
  const take = (completion: Completion) => {
    onChange(completion.line)
    const field = input.current
    if (field !== null) {
      field.value = completion.line
      field.setSelectionRange(completion.caret, completion.caret)
    }
    // A field is followed by its values.
    if (completion.term.endsWith(':')) offer(completion.line, completion.caret)
    else setOffered([])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const chosen = offered[at]
    if (step !== 0 && offered.length === 0) offer(value, input.current?.selectionStart ?? null)
    else if (step !== 0) setAt((at + step + offered.length + (at < 0 && step < 0 ? 1 : 0)) % offered.length)
    else if (event.key === 'Enter' && chosen !== undefined) take(chosen)
    else if (event.key === 'Escape' && offered.length > 0) setOffered([])
    else return
    event.preventDefault()
  }
  return (
    <div class="filter" role="search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Filter"
        aria-autocomplete={words && 'list'}
        aria-controls={offered.length > 0 ? id : undefined}
        aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
        placeholder={example}
        spellcheck={false}
        autocomplete="off"
        data-filter
        value={value}
        onInput={({ currentTarget }) => {
          onChange(currentTarget.value)
          if (currentTarget.value.trim() === '') setOffered([])
          else offer(currentTarget.value, currentTarget.selectionStart)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOffered([])}
      />
      <span class="filter-count">{shown}</span>
      {offered.length > 0 && (
        <div id={id} class="menu-list goals offered" role="listbox" aria-label="Completions">
          {offered.map((completion, index) => (
            <div
              id={`${id}-${index}`}
              key={completion.term}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onPointerUp={() => take(completion)}
            >
              <code class="long">{completion.term}</code>
            </div>
          ))}
        </div>
      )}
      {words !== undefined && (
        <span class="unseen" role="status">
          {offered.length > 0 && `${offered.length} completions`}
        </span>
      )}
    </div>
  )
}
