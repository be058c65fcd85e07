import { useId, useRef, useState } from 'preact/hooks'
import type { Completion } from '../data/complete-filter.ts'

interface CompletedInputProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Completions of a line at the caret; without it none are offered. */
  readonly complete?: ((line: string, caret: number) => readonly Completion[]) | undefined
  readonly onBlur?: () => void
  /** Further attributes of the element. */
  readonly attributes: ({ readonly type: 'search' } | { readonly type: 'text' }) & {
    readonly id?: string
    readonly inputMode?: 'decimal' | undefined
    readonly placeholder?: string
    readonly 'aria-label'?: string
    readonly 'data-filter'?: true
  }
}

/** An input with completions. The arrow keys select one, Enter accepts it. */
export function CompletedInput({ value, onChange, complete, onBlur, attributes }: CompletedInputProps) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const [offered, setOffered] = useState<readonly Completion[]>([])
  const [at, setAt] = useState(-1)
  const offer = (line: string, caret: number | null) => {
    setAt(-1)
    setOffered(complete?.(line, caret ?? line.length) ?? [])
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
  return (
    <>
      <input
        spellcheck={false}
        autocomplete="off"
        {...attributes}
        ref={box}
        aria-autocomplete={complete && 'list'}
        aria-controls={offered.length > 0 ? id : undefined}
        aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
        value={value}
        onInput={({ currentTarget }) => {
          onChange(currentTarget.value)
          if (currentTarget.value.trim() === '') setOffered([])
          else offer(currentTarget.value, currentTarget.selectionStart)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setOffered([])
          onBlur?.()
        }}
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
      {complete !== undefined && (
        <span class="unseen" role="status">
          {offered.length > 0 && `${offered.length} completions`}
        </span>
      )}
    </>
  )
}
