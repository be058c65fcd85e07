import type { ChangeEvent } from '../../protocol/event.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { CollectionDescription } from '../../protocol/record-edit.ts'
import { addressOf } from '../data/address.ts'
import { differencesOf } from '../data/json-value.ts'
import type { LiveSimulation } from '../data/live.ts'
import { simulationPath } from '../data/service.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Time } from '../parts/time.tsx'
import { DifferenceList } from './timeline-row.tsx'

/** The record's history, among the latest 1,000 changes of all. */
export function RecordHistory({ live, collection, id }: { live: LiveSimulation; collection: string; id: string }) {
  const query = new URLSearchParams({ limit: '1000', collection, recordId: id })
  const { answer, error } = useAnswer<{ data: ChangeEvent[] }>(
    simulationPath(live.slug, `/events?${query}`),
    live.revision.value,
  )
  if (error !== undefined) return <p class="error">{error}</p>
  if (answer === undefined) return <div class="bars" aria-busy="true" />
  // A report has the events of all records.
  const events = answer.data.filter(({ data }) => data.collection === collection && data.id === id)
  if (events.length === 0) return <p class="faint">It has not changed within what the service keeps.</p>
  const changes = events.map((event, at) => {
    const before = events[at + 1]?.data.object
    return { event, differences: before === undefined ? undefined : differencesOf(before, event.data.object) }
  })
  return (
    <ol class="plain" aria-label="History">
      {changes.map(({ event, differences }) => (
        <li key={event.id}>
          <Time iso={event.created} /> <a href={`${addressOf(live.slug)}?at=${event.id}`}>{event.type}</a>{' '}
          <span class="faint">by {event.cause}</span>
          <DifferenceList differences={differences} />
        </li>
      ))}
    </ol>
  )
}

/** The references from and to the record. */
export function RelatedRecords({
  live,
  record,
  description,
  id,
}: {
  live: LiveSimulation
  record: JsonObject
  description: CollectionDescription | undefined
  id: string
}) {
  const out = (description?.fields ?? []).flatMap(({ name, refersTo }) => {
    const value = record[name]
    const ids = (Array.isArray(value) ? value : [value]).filter(
      (one): one is string | number => typeof one === 'string' || typeof one === 'number',
    )
    return refersTo === undefined ? [] : ids.map((target) => ({ name, refersTo, target: String(target) }))
  })
  const referredBy = description?.referredBy ?? []
  return (
    <>
      <section class="block">
        <h3>It refers to</h3>
        {out.length === 0 && <p class="faint">Nothing.</p>}
        <ul class="plain">
          {out.map(({ name, refersTo, target }) => (
            <li key={name + target}>
              <span class="faint">{name}</span>{' '}
              <a class="long" href={addressOf(live.slug, 'data', refersTo, target)}>
                {refersTo} {target}
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section class="block">
        <h3>What refers to it</h3>
        {referredBy.length === 0 && <p class="faint">No collection does.</p>}
        <ul class="plain">
          {referredBy.map(({ collection, field }) => (
            <li key={collection + field}>
              <a href={`${addressOf(live.slug, 'data', collection)}?${new URLSearchParams({ f: `${field}:${id}` })}`}>
                {collection} by {field}
              </a>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
