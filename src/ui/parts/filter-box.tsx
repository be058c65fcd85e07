import { useId, useRef } from 'preact/hooks'
import { completionsOf, type FilterWords } from '../data/complete-filter.ts'
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

/** A filter line for a list. `/` focuses it. The browser offers the completions. */
export function FilterBox({ value, onChange, example, shown, words, onFocus }: FilterBoxProps) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  useKeys((event) => {
    if (event.key !== '/') return
    event.preventDefault()
    box.current?.focus()
  })
  return (
    <div class="filter" role="search" onFocusIn={onFocus}>
      <Icon name="search" />
      <input
        type="search"
        aria-label="Filter"
        placeholder={example}
        data-filter
        spellcheck={false}
        autocomplete="off"
        ref={box}
        list={words && id}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {words !== undefined && (
        <datalist id={id}>
          {value.trim() !== '' &&
            completionsOf(value, words()).map(({ line, text }) => (
              <option key={line} value={line}>
                {text}
              </option>
            ))}
        </datalist>
      )}
      <span class="filter-count">{shown}</span>
    </div>
  )
}
