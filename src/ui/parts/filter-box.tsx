import { completionsOf, type FilterWords } from '../data/complete-filter.ts'
import { CompletedInput } from './completed-input.tsx'
import { Icon } from './icon.tsx'

interface FilterBoxProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly example: string
  /** Number of shown items: `12 of 340`. */
  readonly shown: string
  /** Fields and values for completion, computed while typing; without it none are offered. */
  readonly words?: () => FilterWords
  readonly onFocus?: () => void
}

/** A filter line for a list. `/` focuses it. */
export function FilterBox({ value, onChange, example, shown, words, onFocus }: FilterBoxProps) {
  return (
    <div class="filter" role="search" onFocusIn={onFocus}>
      <Icon name="search" />
      <CompletedInput
        attributes={{ type: 'search', 'aria-label': 'Filter', placeholder: example, 'data-filter': true }}
        value={value}
        onChange={onChange}
        complete={words && ((line, caret) => completionsOf(line, caret, words()))}
      />
      <span class="filter-count">{shown}</span>
    </div>
  )
}
