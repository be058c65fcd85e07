import { useRef, useState } from 'preact/hooks'
import type { JsonObject } from '../../protocol/json.ts'
import type { CollectionDescription, KeptRecord } from '../../protocol/record-edit.ts'
import type { CollectionSummary } from '../../protocol/simulation.ts'
import { addressOf } from '../data/address.ts'
import type { LiveSimulation } from '../data/live.ts'
import { useRoute } from '../data/location.tsx'
import { attempt, notify } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { useAnswer } from '../data/use-answer.ts'
import { AskingButton } from '../parts/asking-button.tsx'
import { Chip } from '../parts/chip.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Button, CheckField, ErrorText, Picks } from '../parts/fields.tsx'
import { JsonForm } from '../parts/json-form.tsx'
import { JsonView } from '../parts/json-view.tsx'
import { Detail } from '../parts/split.tsx'
import { FieldForm } from './field-form.tsx'
import { RecordHistory, RelatedRecords } from './record-relations.tsx'

const TABS = ['Fields', 'JSON', 'History', 'Related'] as const

interface RecordProps {
  readonly live: LiveSimulation
  readonly collection: CollectionSummary
  readonly description: CollectionDescription | undefined
  readonly id: string
  /** Address of the list alone. */
  readonly close: string
}

/** One record: editable fields, history, and relations. Save writes the changes. */
export function RecordDetail({ live, collection, description, id, close }: RecordProps) {
  const [tab, setTab] = useState<(typeof TABS)[number]>('Fields')
  const [isQuiet, setIsQuiet] = useState(false)
  const route = useRoute()
  const path = simulationPath(live.slug, `/records/${encodeURIComponent(collection.name)}/${encodeURIComponent(id)}`)
  const { answer: kept, error, set: setKept } = useAnswer<KeptRecord>(path, live.revision.value)

  const write = (method: 'PATCH' | 'PUT', body: JsonObject) =>
    attempt(async () => {
      setKept(await call<KeptRecord>(method, `${path}?quiet=${isQuiet}`, body))
      notify(isQuiet ? 'Saved, without webhooks.' : 'Saved.')
    })
  const remove = () =>
    attempt(async () => {
      await call('DELETE', `${path}?quiet=${isQuiet}`)
      notify(`${id} is deleted.`)
      route(close)
    })

  const revert = () =>
    attempt(async () => {
      setKept(await call<KeptRecord>('POST', `${path}/revert?quiet=${isQuiet}`))
      notify(`${id} is as it was made.`)
    })
  const duplicate = () =>
    attempt(async () => {
      const own = new Set([collection.idField, ...(description?.fields ?? []).filter(isOwn).map(({ name }) => name)])
      const fields = Object.entries(kept?.record ?? {}).filter(([name]) => !own.has(name))
      const list = simulationPath(live.slug, `/records/${encodeURIComponent(collection.name)}?quiet=${isQuiet}`)
      const made = await call<KeptRecord>('POST', list, Object.fromEntries(fields))
      await live.refresh()
      notify(`${made.id} is made.`)
      route(addressOf(live.slug, 'data', collection.name, made.id))
    })

  const webhooksText = isQuiet ? 'and no webhook is sent' : 'and webhooks are sent'
  if (kept === undefined) {
    return (
      <Detail title={id} close={close}>
        {error === undefined ? <div class="bars" aria-busy="true" /> : <ErrorText text={error} />}
      </Detail>
    )
  }
  return (
    <Detail
      title={
        <>
          <code class="long">{id}</code>{' '}
          <Chip tone={kept.origin === 'generated' ? 'calm' : 'accent'}>{kept.origin}</Chip>
        </>
      }
      close={close}
      actions={
        <>
          <CopyButton text={() => JSON.stringify(kept.record, null, 2)} label="Copy JSON" />
          {mayWrite() && (
            <>
              <Button onClick={() => void duplicate()}>Duplicate</Button>
              {kept.origin === 'changed' && (
                <AskingButton
                  question={`Put ${id} back to how it was generated?`}
                  text={`What was changed of it since is lost, ${webhooksText}.`}
                  action="Back to generated"
                  run={revert}
                >
                  Back to generated…
                </AskingButton>
              )}
              <AskingButton
                question={`Delete ${id}?`}
                text={`It is gone for good, ${webhooksText}.`}
                action="Delete"
                run={remove}
              >
                Delete…
              </AskingButton>
            </>
          )}
        </>
      }
    >
      {error !== undefined && (
        <p class="strip" role="status">
          {error}
        </p>
      )}
      <Picks label="Of the record" names={TABS} chosen={tab} choose={setTab} />
      {mayWrite() && (tab === 'Fields' || tab === 'JSON') && (
        <CheckField label="Save without webhooks" isOn={isQuiet} set={setIsQuiet} />
      )}
      {tab === 'Fields' && (
        <FieldForm
          record={kept.record}
          description={description}
          idField={collection.idField}
          save={mayWrite() ? (changed) => write('PATCH', changed) : undefined}
        />
      )}
      {tab === 'JSON' &&
        (mayWrite() ? (
          <JsonForm record={kept.record} label="Record as JSON" action="Save" save={(record) => write('PUT', record)} />
        ) : (
          <JsonView value={kept.record} label="Record" />
        ))}
      {tab === 'History' && <RecordHistory live={live} collection={collection.name} id={id} />}
      {tab === 'Related' && <RelatedRecords live={live} record={kept.record} description={description} id={id} />}
    </Detail>
  )
}

/** Fields that only the server sets. */
const isOwn = ({ readOnly }: CollectionDescription['fields'][number]): boolean => readOnly

/** Creates a record: omitted fields are generated. */
export function NewRecordButton({
  live,
  collection,
  description,
  hasIds,
}: {
  live: LiveSimulation
  collection: string
  description: CollectionDescription | undefined
  hasIds: boolean
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const route = useRoute()
  const create = (fields: JsonObject) =>
    attempt(async () => {
      const path = simulationPath(live.slug, `/records/${encodeURIComponent(collection)}`)
      const { id } = await call<KeptRecord>('POST', path, fields)
      dialog.current?.close()
      await live.refresh()
      notify(`${id} is made.`)
      if (hasIds) route(addressOf(live.slug, 'data', collection, id))
    })
  return (
    <>
      <Button onClick={() => dialog.current?.showModal()}>New {description?.singular ?? 'record'}</Button>
      <dialog class="dialog" ref={dialog} aria-labelledby="new-title">
        <h2 id="new-title">New {description?.singular ?? 'record'}</h2>
        <p class="hint">What is left out is generated.</p>
        <JsonForm record={{}} label="Fields as JSON" action="Create" save={create} />
        <form method="dialog" class="buttons">
          <Button type="submit">Cancel</Button>
        </form>
      </dialog>
    </>
  )
}
