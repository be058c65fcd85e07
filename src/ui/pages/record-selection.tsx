import { useRef, useState } from 'preact/hooks'
import type { Json } from '../../protocol/json.ts'
import type { CollectionDescription } from '../../protocol/record-edit.ts'
import type { CollectionSummary } from '../../protocol/simulation.ts'
import type { LiveSimulation } from '../data/live.ts'
import { attempt, notify } from '../data/notices.ts'
import { parseValue } from '../data/object-text.ts'
import { call, simulationPath } from '../data/service.ts'
import { AskingDialog } from '../parts/asking-button.tsx'
import { Button, CheckField, SelectField } from '../parts/fields.tsx'
import { FieldInput, inputKindOf } from './field-form.tsx'

interface SelectionProps {
  readonly live: LiveSimulation
  readonly collection: CollectionSummary
  readonly description: CollectionDescription | undefined
  /** Ids of the selected visible records. */
  readonly ids: readonly string[]
  readonly shownIds: readonly string[]
  readonly select: (ids: readonly string[]) => void
}

/** Actions on the selected records. */
export function SelectionBar(props: SelectionProps) {
  const { ids, shownIds, select } = props
  return (
    <div class="tools" role="group" aria-label="Selected records">
      <b>{ids.length.toLocaleString('en')} selected</b>
      {ids.length < shownIds.length && (
        <Button onClick={() => select(shownIds)}>Select all {shownIds.length.toLocaleString('en')}</Button>
      )}
      <SetFieldButton {...props} />
      <DeleteButton {...props} />
      <Button onClick={() => select([])}>Clear selection</Button>
    </div>
  )
}

/** Sets one field of the records. Each is a separate change, with its event and webhooks. */
function SetFieldButton({ live, collection, description, ids }: SelectionProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const fields = (description?.fields ?? []).filter(({ name, readOnly }) => !readOnly && name !== collection.idField)
  const [name, setName] = useState<string | undefined>(undefined)
  const field = fields.find((one) => one.name === name) ?? fields[0]
  const [text, setText] = useState('')
  const [isQuiet, setIsQuiet] = useState(false)
  const { value = null, error } = field === undefined ? {} : parseValue(text, inputKindOf(field, undefined))
  const submit = async (event: Event) => {
    event.preventDefault()
    if (field === undefined || error !== undefined) return
    const body: Readonly<Record<string, Json>> = { [field.name]: value }
    const write = (path: string) => call('PATCH', `${path}?quiet=${isQuiet}`, body)
    if (await eachOf({ live, collection, ids }, 'changed', write)) dialog.current?.close()
  }
  if (field === undefined) return null
  return (
    <>
      <Button onClick={() => dialog.current?.showModal()}>Set a field…</Button>
      <dialog class="dialog" ref={dialog} aria-labelledby="set-field-title">
        <h2 id="set-field-title">Set a field of {ids.length.toLocaleString('en')} records</h2>
        <form class="field-form" onSubmit={(event) => void submit(event)}>
          <SelectField
            label="Field"
            value={field.name}
            set={(chosen) => {
              setName(chosen)
              setText('')
            }}
            options={fields.map((one) => one.name)}
          />
          <FieldInput idPrefix="set" field={field} value={undefined} text={text} error={error} onInput={setText} />
          <CheckField label="Without webhooks" isOn={isQuiet} set={setIsQuiet} />
          <div class="buttons">
            <Button type="submit" kind="main" disabled={error !== undefined}>
              Set
            </Button>
            <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          </div>
        </form>
      </dialog>
    </>
  )
}

function DeleteButton({ live, collection, ids, select }: SelectionProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isQuiet, setIsQuiet] = useState(false)
  const remove = async () => {
    const write = (path: string) => call('DELETE', `${path}?quiet=${isQuiet}`)
    if (await eachOf({ live, collection, ids }, 'deleted', write)) select([])
  }
  return (
    <>
      <Button kind="danger" onClick={() => dialog.current?.showModal()}>
        Delete…
      </Button>
      <AskingDialog
        dialog={dialog}
        question={`Delete ${ids.length.toLocaleString('en')} records?`}
        action="Delete"
        run={remove}
      >
        <CheckField label="Without webhooks" isOn={isQuiet} set={setIsQuiet} />
      </AskingDialog>
    </>
  )
}

/** Runs an action on each record until one is refused: then reports the number of successes. */
async function eachOf(
  { live, collection, ids }: Pick<SelectionProps, 'live' | 'collection' | 'ids'>,
  done: string,
  work: (path: string) => Promise<unknown>,
): Promise<boolean> {
  let count = 0
  const isDone = await attempt(async () => {
    for (const id of ids) {
      const below = `/records/${encodeURIComponent(collection.name)}/${encodeURIComponent(id)}`
      await work(simulationPath(live.slug, below)).catch((cause: Error) => {
        throw new Error(`${count} of ${ids.length} are ${done}, then ${id} was not: ${cause.message}`, { cause })
      })
      count++
    }
    notify(`${count} ${count === 1 ? 'record is' : 'records are'} ${done}.`)
  })
  await live.refresh()
  return isDone
}
