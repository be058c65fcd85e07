import { useId, useState } from 'preact/hooks'
import type { JsonObject } from '../../protocol/json.ts'
import { fieldText, type RuleField, type Subject, withField, wordsFor } from '../data/rule-fields.ts'

interface RuleFieldsProps {
  readonly fields: readonly RuleField[]
  readonly config: JsonObject
  readonly change: (config: JsonObject) => void
  /** The records whose fields and values are offered. */
  readonly subject?: Subject | undefined
}

/** Config fields of a rule. Empty ones are omitted. */
export function RuleFields({ fields, ...shared }: RuleFieldsProps) {
  return (
    <>
      {fields.map((field) => (
        <LabelledField key={field.name} field={field} {...shared} />
      ))}
    </>
  )
}

function LabelledField({ field, config, change, subject }: Omit<RuleFieldsProps, 'fields'> & { field: RuleField }) {
  const id = useId()
  // Incomplete input such as `0.` or half of a JSON text stays as typed until the field loses focus.
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const { type, label, offers } = field
  const text = fieldText(config, field)
  const choices = type === 'switch' ? ['true', 'false'] : Array.isArray(type) ? type : undefined
  const set = (value: string) => change(withField(config, field, value))
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {choices !== undefined ? (
        <select id={id} value={text} onChange={({ currentTarget }) => set(currentTarget.value)}>
          <option value="">as usual</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <>
          <input
            id={id}
            list={`${id}-words`}
            inputMode={type === 'number' ? 'decimal' : undefined}
            spellcheck={false}
            autocomplete="off"
            value={typed ?? text}
            onInput={({ currentTarget }) => {
              setTyped(currentTarget.value)
              set(currentTarget.value)
            }}
            onBlur={() => setTyped(undefined)}
          />
          <datalist id={`${id}-words`}>
            {offers && subject && wordsFor(field, subject, config).map((word) => <option key={word} value={word} />)}
          </datalist>
        </>
      )}
    </div>
  )
}
