import { useId, useState } from 'preact/hooks'
import type { JsonObject } from '../../protocol/json.ts'
import { fieldText, type RuleField, withField } from '../data/rule-fields.ts'

interface RuleFieldsProps {
  readonly fields: readonly RuleField[]
  readonly config: JsonObject
  readonly change: (config: JsonObject) => void
}

/** Fields of the config of a rule. An empty one is left out of it. */
export function RuleFields({ fields, config, change }: RuleFieldsProps) {
  return (
    <>
      {fields.map((field) => (
        <LabelledField key={field.name} field={field} config={config} change={change} />
      ))}
    </>
  )
}

function LabelledField({ field, config, change }: Omit<RuleFieldsProps, 'fields'> & { field: RuleField }) {
  const id = useId()
  // `0.` and half of a JSON stay as they are typed until the field is left.
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const { type, label } = field
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
        <input
          id={id}
          spellcheck={false}
          inputMode={type === 'number' ? 'decimal' : undefined}
          value={typed ?? text}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            set(currentTarget.value)
          }}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </div>
  )
}
