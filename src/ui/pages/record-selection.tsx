import { useRef, useState } from 'preact/hooks'
import type { CollectionDescription } from '../../protocol/collection-description.ts'
import type { Json } from '../../protocol/json.ts'
import type { CollectionSummary } from '../../protocol/simulation.ts'
import type { LiveSimulation } from '../data/live.ts'
import { attempt, notify } from '../data/notices.ts'
import { parseValue } from '../data/object-text.ts'
import { call, simulationPath } from '../data/service.ts'
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
        <button type="button" class="button" onClick={() => select(shownIds)}>
          Select all {shownIds.length.toLocaleString('en')}
        </button>
      )}
      <SetFieldButton {...props} />
      <DeleteButton {...props} />
      <button type="button" class="button" onClick={() => select([])}>
        Clear selection
      </button>
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
      <button type="button" class="button" onClick={() => dialog.current?.showModal()}>
        Set a field…
      </button>
      <dialog class="dialog" ref={dialog} aria-labelledby="set-field-title">
        <h2 id="set-field-title">Set a field of {ids.length.toLocaleString('en')} records</h2>
        <form class="field-form" onSubmit={(event) => void submit(event)}>
          <label class="field">
            Field
            <select
              value={field.name}
              onChange={({ currentTarget }) => {
                setName(currentTarget.value)
                setText('')
              }}
            >
              {fields.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
          <FieldInput idPrefix="set" field={field} value={undefined} text={text} error={error} onInput={setText} />
          <QuietCheck isQuiet={isQuiet} setIsQuiet={setIsQuiet} />
          <div class="buttons">
            <button type="submit" class="button button-main" disabled={error !== undefined}>
              Set
            </button>
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
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
    const isDone = await eachOf({ live, collection, ids }, 'deleted', (path) =>
      call('DELETE', `${path}?quiet=${isQuiet}`),
    )
    dialog.current?.close()
    if (isDone) select([])
  }
  return (
    <>
      <button type="button" class="button button-danger" onClick={() => dialog.current?.showModal()}>
        Delete…
      </button>
      <dialog class="dialog" ref={dialog} aria-labelledby="delete-records-title">
        <h2 id="delete-records-title">Delete {ids.length.toLocaleString('en')} records?</h2>
        <QuietCheck isQuiet={isQuiet} setIsQuiet={setIsQuiet} />
        <div class="buttons">
          <button type="button" class="button button-danger" onClick={() => void remove()}>
            Delete
          </button>
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
    </>
  )
}

function QuietCheck({ isQuiet, setIsQuiet }: { isQuiet: boolean; setIsQuiet: (isQuiet: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={isQuiet} onChange={({ currentTarget }) => setIsQuiet(currentTarget.checked)} />
      Without webhooks
    </label>
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
