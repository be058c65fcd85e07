import { useId, useState } from 'preact/hooks'
import type { JsonObject } from '../../protocol/json.ts'
import { fieldCompletions, fieldText, type RuleField, type Subject, withField, wordsFor } from '../data/rule-fields.ts'
import { CompletedInput } from '../parts/completed-input.tsx'

interface RuleFieldsProps {
  readonly fields: readonly RuleField[]
  readonly config: JsonObject
  readonly change: (config: JsonObject) => void
  /** The records for completion of field names. */
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
        <CompletedInput
          attributes={{ type: 'text', id, inputMode: type === 'number' ? 'decimal' : undefined }}
          value={typed ?? text}
          onChange={(value) => {
            setTyped(value)
            set(value)
          }}
          onBlur={() => setTyped(undefined)}
          complete={
            offers &&
            subject &&
            ((line, caret) => fieldCompletions(offers, wordsFor(field, subject, config), line, caret))
          }
        />
      )}
    </div>
  )
}
