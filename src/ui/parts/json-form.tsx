import { useState } from 'preact/hooks'
import type { JsonObject } from '../../protocol/json.ts'
import { parseObject } from '../data/object-text.ts'
import { Button, TextArea } from './fields.tsx'

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
      <TextArea
        label={label}
        class="json-text-area"
        rows={Math.min(28, text.split('\n').length + 1)}
        value={text}
        aria-invalid={typeof parsed === 'string' ? 'true' : undefined}
        set={setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event)
        }}
      />
      <p class="error" role="alert">
        {typeof parsed === 'string' ? parsed : ''}
      </p>
      <div class="buttons">
        <Button type="submit" kind="main" disabled={typeof parsed === 'string'}>
          {action}
        </Button>
      </div>
    </form>
  )
}
