import { foldName } from '../../src/names/words.ts'
import { isJsonObject, type Json } from '../../src/protocol/json.ts'
import type { ApiModel, Operation } from '../../src/service/openapi/model.ts'
import { show } from './http.ts'
import type { Subject } from './open-simulation.ts'
import type { Sample } from './sample-requests.ts'
import { type SimulationClient, withLargestPage } from './simulation-client.ts'
import { count, newTally, type Tally } from './tally.ts'

/** Whether what can be read is another after an action, more than the time of its last change. */
export async function measureActions({ model }: Subject, client: SimulationClient): Promise<Tally> {
  const tally = newTally()
  for (const operation of model.operations) {
    if (operation.effect.kind !== 'action' || operation.method === 'GET') continue
    const sample = client.sample(operation)
    const readers = readersOf(model, operation)
    if (readers.length === 0) continue
    const look = () => Promise.all(readers.map((reader) => lookAt(reader, sample, client)))
    const before = await look()
    const { status, json } = await client.send(operation, sample)
    const after = await look()
    const miss =
      status >= 400
        ? `answered ${status} ${show(json)}`
        : before.join('\n') === after.join('\n')
          ? 'nothing is different afterwards'
          : undefined
    count(tally, operation, miss)
  }
  return tally
}

/** The read of the record and the list of its collection. */
function readersOf({ operations }: ApiModel, { effect }: Operation): Operation[] {
  if (!('collection' in effect)) return []
  const of = (kind: 'read' | 'list') =>
    operations.find(
      (other) =>
        other.method === 'GET' &&
        other.effect.kind === kind &&
        'collection' in other.effect &&
        other.effect.collection === effect.collection,
    )
  return [of('read'), of('list')].flatMap((reader) => reader ?? [])
}

async function lookAt(reader: Operation, { params, query, body }: Sample, client: SimulationClient): Promise<string> {
  const sample = reader.effect.kind === 'list' ? withLargestPage(reader, client.sample(reader)) : client.sample(reader)
  const sent = new Map([...Object.entries(isJsonObject(body) ? body : {}), ...query, ...Object.entries(params)])
  for (const name of Object.keys(sample.params)) {
    const value = sent.get(name)
    if (typeof value === 'string' || typeof value === 'number') sample.params[name] = String(value)
  }
  const { json } = await client.send(reader, sample)
  return JSON.stringify(withoutTimes(json ?? null))
}

/** A body without the fields that say when a record was last changed. */
export function withoutTimes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutTimes)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !/(updated|modified|changed|lastupdate|lastmodif|etag|version|revision)/.test(foldName(name)))
      .map(([name, inner]) => [name, withoutTimes(inner)]),
  )
}
