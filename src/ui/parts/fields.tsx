import type { ComponentChildren, JSX } from 'preact'

type Attributes<Tag extends 'button' | 'input' | 'textarea'> = Omit<
  JSX.IntrinsicElements[Tag],
  'label' | 'ref' | 'role'
>

/** A button, by default one that does not submit its form. `kind`: the main one of its form, or one that deletes. */
export function Button({ kind, ...more }: { kind?: 'main' | 'danger' } & Attributes<'button'>) {
  return <button type="button" class={kind === undefined ? 'button' : `button button-${kind}`} {...more} />
}

interface FieldProps {
  readonly label: ComponentChildren
  readonly value: string
  readonly set: (value: string) => unknown
}

interface TextFieldProps extends FieldProps {
  readonly type?: 'url' | 'password' | 'number'
  readonly name?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly maxLength?: number
  readonly min?: number
  readonly step?: 'any'
  readonly placeholder?: string
  readonly spellcheck?: boolean
  readonly autocomplete?: 'off'
  /** Id of the values that are offered. */
  readonly list?: string
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid'?: 'true' | undefined
}

/** One line of text with its label. */
export function TextField({ label, set, ...more }: TextFieldProps) {
  // Preact lists the attributes of each type of input, and none for several types.
  const attributes = { type: 'text', ...more } as { type: 'text' }
  return (
    <label class="field">
      {label}
      <input {...attributes} onInput={({ currentTarget }) => set(currentTarget.value)} />
    </label>
  )
}

/** Several lines of text with their label. */
export function TextArea({ label, set, ...more }: FieldProps & Attributes<'textarea'>) {
  return (
    <label class="field">
      {label}
      <textarea spellcheck={false} {...more} onInput={({ currentTarget }) => set(currentTarget.value)} />
    </label>
  )
}

/** One of some values, with its label. */
export function SelectField({
  label,
  value,
  set,
  options,
}: FieldProps & { readonly options: readonly (string | readonly [value: string, text: string])[] }) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {options.map((option) => {
          const [one, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={one} value={one}>
              {text}
            </option>
          )
        })}
      </select>
    </label>
  )
}

/** A choice that is on or off, with its label. */
export function CheckField({
  label,
  isOn,
  set,
  ...more
}: {
  label: ComponentChildren
  isOn: boolean
  set: (isOn: boolean) => unknown
  disabled?: boolean
}) {
  return (
    <label class="check">
      <input {...more} type="checkbox" checked={isOn} onChange={({ currentTarget }) => set(currentTarget.checked)} />
      {label}
    </label>
  )
}

/** A menu of actions. It closes when one is chosen. */
export function ActionMenu({
  label,
  actions,
}: {
  label: string
  actions: readonly (readonly [label: string, run: () => unknown])[]
}) {
  return (
    <details class="menu menu-end">
      <summary class="button">{label} ▾</summary>
      <div class="menu-list">
        {actions.map(([name, run]) => (
          <button
            type="button"
            class="menu-item"
            key={name}
            onClick={({ currentTarget }) => {
              currentTarget.closest('details')?.removeAttribute('open')
              run()
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </details>
  )
}

/** Buttons; one is on. */
export function Picks<Name extends string>({
  label,
  names,
  chosen,
  choose,
}: {
  label: string
  names: readonly Name[]
  chosen: Name
  choose: (name: Name) => unknown
}) {
  return (
    <div class="picks" role="group" aria-label={label}>
      {names.map((name) => (
        <button type="button" class="pick" key={name} aria-pressed={name === chosen} onClick={() => choose(name)}>
          {name}
        </button>
      ))}
    </div>
  )
}

/** What went wrong, read out; nothing without it. */
export function ErrorText({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="error" role="alert">
      {text}
    </p>
  )
}
