import { useState } from 'preact/hooks'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { CollectionDescription, CollectionField } from '../../protocol/record-edit.ts'
import { countText } from '../data/count-text.ts'
import { parseValue } from '../data/object-text.ts'
import { Button } from '../parts/fields.tsx'

interface FieldFormProps {
  readonly record: JsonObject
  readonly description: CollectionDescription | undefined
  readonly idField: string | null
  /** Saves the changed fields; undefined in a read-only session. */
  readonly save: ((changed: JsonObject) => Promise<boolean>) | undefined
}

/** A record's fields as a form, by schema. Only changes are sent. */
export function FieldForm({ record, description, idField, save }: FieldFormProps) {
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({})
  const known = description?.fields ?? []
  const others = Object.keys(record).filter((name) => !known.some((field) => field.name === name))
  const fields = [...known.filter(({ name }) => name in record || save !== undefined), ...others.map(plainField)]
  const parsed = Object.entries(drafts).map(([name, text]) => {
    const field = fields.find((one) => one.name === name) ?? plainField(name)
    return { name, ...parseValue(text, inputKindOf(field, record[name])) }
  })
  const isWrong = parsed.some(({ error }) => error !== undefined)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (save === undefined || isWrong || parsed.length === 0) return
    const changed = Object.fromEntries(parsed.map(({ name, value }) => [name, value ?? null]))
    if (await save(changed)) setDrafts({})
  }
  return (
    <form
      class="field-form"
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit(event)
      }}
    >
      {fields.map((field) => {
        const { name } = field
        const isFixed = save === undefined || field.readOnly || name === idField
        const text = drafts[name] ?? textOfValue(record[name])
        if (isFixed) {
          return (
            <div class="field" key={name}>
              {name}
              <output class="fixed">{text === '' ? 'nothing' : text}</output>
            </div>
          )
        }
        return (
          <FieldInput
            key={name}
            field={field}
            value={record[name]}
            text={text}
            error={parsed.find((one) => one.name === name)?.error}
            onInput={(typed) => {
              const { [name]: _, ...rest } = drafts
              setDrafts(typed === textOfValue(record[name]) ? rest : { ...drafts, [name]: typed })
            }}
          />
        )
      })}
      {save !== undefined && (
        <div class="buttons">
          <Button type="submit" kind="main" disabled={isWrong || parsed.length === 0}>
            Save
          </Button>
          {parsed.length > 0 && (
            <Button onClick={() => setDrafts({})}>Undo {countText(parsed.length, 'change')}</Button>
          )}
        </div>
      )}
    </form>
  )
}

interface FieldInputProps {
  /** Prefix of element ids, to distinguish forms. @default 'field' */
  readonly idPrefix?: string
  readonly field: CollectionField
  readonly value: Json | undefined
  readonly text: string
  readonly error: string | undefined
  readonly onInput: (text: string) => void
}

/** One input, by schema. */
export function FieldInput({ idPrefix = 'field', field, value, text, error, onInput }: FieldInputProps) {
  const kind = inputKindOf(field, value)
  const id = `${idPrefix}-${field.name}`
  const shared = {
    id,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
    'aria-describedby': `${id}-error`,
  }
  const choices = kind === 'boolean' ? [true, false] : field.values
  return (
    <div class="field">
      <label for={id}>{field.name}</label>
      {choices !== undefined ? (
        <select {...shared} value={text} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
          {(field.nullable || text === '') && <option value="">nothing</option>}
          {choices.map((choice) => (
            <option key={String(choice)} value={textOfValue(choice)}>
              {textOfValue(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'json' ? (
        <textarea
          {...shared}
          rows={3}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      ) : (
        <input
          {...shared}
          inputMode={kind === 'number' ? 'decimal' : undefined}
          value={text}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
      <p class="error" id={`${id}-error`}>
        {error ?? ''}
      </p>
    </div>
  )
}

/** The kind of input for a field: by schema, or by value where the schema does not decide. */
export function inputKindOf(
  { types }: CollectionField,
  value: Json | undefined,
): 'text' | 'number' | 'boolean' | 'json' {
  const [type] = types.length === 1 ? types : [value === null || value === undefined ? 'string' : typeof value]
  if (type === 'string') return 'text'
  if (type === 'boolean') return 'boolean'
  return type === 'number' || type === 'integer' ? 'number' : 'json'
}

const plainField = (name: string): CollectionField => ({
  name,
  types: [],
  nullable: true,
  required: false,
  readOnly: false,
})

function textOfValue(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, typeof value === 'object' ? 2 : 0)
}
