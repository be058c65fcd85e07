import { completionsOf, type FilterWords } from '../data/complete-filter.ts'
import { CompletedInput } from './completed-input.tsx'
import { Icon } from './icon.tsx'

interface FilterBoxProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly example: string
  /** What of how many is shown: `12 of 340`. */
  readonly shown: string
  /** Fields and values to go on with, asked for while it is typed; without it none are offered. */
  readonly words?: () => FilterWords
  readonly onFocus?: () => void
}

/** One line of text that a list is filtered by. `/` leads to it. */
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
