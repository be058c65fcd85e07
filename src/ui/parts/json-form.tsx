import { useState } from 'preact/hooks'
import type { JsonObject } from '../../protocol/json.ts'
import { parseObject } from '../data/object-text.ts'

/** Editable JSON. A syntax error is shown with its line. */
export function JsonForm({
  record,
  label,
  action,
  save,
}: {
  record: object
  label: string
  action: string
  save: (record: JsonObject) => Promise<boolean>
}) {
  const [text, setText] = useState(() => JSON.stringify(record, null, 2))
  const parsed = parseObject(text)
  const submit = (event?: Event) => {
    event?.preventDefault()
    if (typeof parsed !== 'string') void save(parsed)
  }
  return (
    <form class="block" onSubmit={submit}>
      <label class="field">
        {label}
        <textarea
          class="json-text-area"
          spellcheck={false}
          rows={Math.min(28, text.split('\n').length + 1)}
          value={text}
          aria-invalid={typeof parsed === 'string' ? 'true' : undefined}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event)
          }}
        />
      </label>
      <p class="error" role="alert">
        {typeof parsed === 'string' ? parsed : ''}
      </p>
      <div class="buttons">
        <button type="submit" class="button button-main" disabled={typeof parsed === 'string'}>
          {action}
        </button>
      </div>
    </form>
  )
}
