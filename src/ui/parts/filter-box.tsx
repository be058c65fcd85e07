import { Icon } from './icon.tsx'

/** One line of text that a list is filtered by. `/` leads to it. */
export function FilterBox({
  value,
  onChange,
  example,
  shown,
}: {
  value: string
  onChange: (value: string) => void
  example: string
  /** What of how many is shown: `12 of 340`. */
  shown: string
}) {
  return (
    <div class="filter" role="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Filter"
        placeholder={example}
        spellcheck={false}
        autocomplete="off"
        data-filter
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <span class="filter-count">{shown}</span>
    </div>
  )
}
