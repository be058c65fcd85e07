import { useId, useRef, useState } from 'preact/hooks'
import { type Completion, completionsOf, type FilterWords } from '../data/complete-filter.ts'
import { Icon } from './icon.tsx'
import { useKeys } from './key-sheet.tsx'

interface FilterBoxProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly example: string
  /** Number of shown items: `12 of 340`. */
  readonly shown: string
  /** Fields and values for completion, computed while typing; without it none are offered. */
  readonly words?: (() => FilterWords) | undefined
  readonly onFocus?: () => void
}

/** A filter line for a list. `/` focuses it. */
export function FilterBox({ value, onChange, example, shown, words, onFocus }: FilterBoxProps) {
  return (
    <div class="filter" role="search" onFocusIn={onFocus}>
      <Icon name="search" />
      <CompletedInput value={value} onChange={onChange} example={example} words={words} />
      <span class="filter-count">{shown}</span>
    </div>
  )
}

/** An input with completions. The arrow keys select one, Enter accepts it. */
function CompletedInput({
  value,
  onChange,
  example,
  words,
}: Pick<FilterBoxProps, 'value' | 'onChange' | 'example' | 'words'>) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const [offered, setOffered] = useState<readonly Completion[]>([])
  const [at, setAt] = useState(-1)
  const offer = (line: string, caret: number | null) => {
    setAt(-1)
    setOffered(words === undefined ? [] : completionsOf(line, caret ?? line.length, words()))
  }
  const take = (completion: Completion) => {
    onChange(completion.line)
    const field = box.current
    if (field !== null) {
      field.value = completion.line
      field.setSelectionRange(completion.caret, completion.caret)
    }
    if (completion.goesOn) offer(completion.line, completion.caret)
    else setOffered([])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const chosen = offered[at]
    if (step !== 0 && offered.length === 0) offer(value, box.current?.selectionStart ?? null)
    else if (step !== 0) setAt((at + step + offered.length + (at < 0 && step < 0 ? 1 : 0)) % offered.length)
    else if (event.key === 'Enter' && chosen !== undefined) take(chosen)
    else if (event.key === 'Escape' && offered.length > 0) setOffered([])
    else return
    event.preventDefault()
  }
  useKeys((event) => {
    if (event.key !== '/') return
    event.preventDefault()
    box.current?.focus()
  })
  return (
    <>
      <input
        type="search"
        aria-label="Filter"
        placeholder={example}
        data-filter
        spellcheck={false}
        autocomplete="off"
        ref={box}
        aria-autocomplete={words && 'list'}
        aria-controls={offered.length > 0 ? id : undefined}
        aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
        value={value}
        onInput={({ currentTarget }) => {
          onChange(currentTarget.value)
          if (currentTarget.value.trim() === '') setOffered([])
          else offer(currentTarget.value, currentTarget.selectionStart)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOffered([])}
      />
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
    </>
  )
}
