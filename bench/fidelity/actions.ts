import { isJsonObject } from '../../src/protocol/json.ts'
import type { ApiModel, Operation } from '../../src/service/openapi/model.ts'
import { isAboutSame, MOST_OTHERS } from './effective.ts'
import { show, withoutTimes } from './http.ts'
import type { Subject } from './open-simulation.ts'
import type { Sample } from './sample.ts'
import { type SimulationClient, withLargestPage } from './simulation-client.ts'
import { count, newTally, type Tally } from './tally.ts'

/** Whether an action changes a readable value other than the time of the last change. */
export async function measureActions({ model }: Subject, client: SimulationClient): Promise<Tally> {
  const tally = newTally()
  for (const operation of model.operations) {
    if (operation.effect.kind !== 'action' || operation.method === 'GET') continue
    const sample = client.sample(operation)
    const readers = readersOf(model, operation)
    if (readers.length === 0) continue
    const look = () => Promise.all(readers.map((reader) => lookAt(reader, sample, client)))
    const attempt = async () => {
      const before = await look()
      const { status, json } = await client.send(operation, sample)
      const after = await look()
      if (status >= 400) return `answered ${status} ${show(json)}`
      return before.join('\n') === after.join('\n') ? 'nothing is different afterwards' : undefined
    }
    let miss = await attempt()
    // An undo action changes a record only after its counterpart: unpin after pin, leave after join.
    const others = model.operations.filter((other) => other !== operation && isAboutSame(other, operation))
    for (const other of miss === undefined ? [] : others.slice(0, MOST_OTHERS)) {
      await client.send(other, aboutSame(client.sample(other), sample))
      miss = await attempt()
      if (miss === undefined) break
    }
    count(tally, operation, miss)
  }
  return tally
}

/** The request for the same record as another request. */
const aboutSame = (sample: Sample, { params }: Sample): Sample => ({
  ...sample,
  params: { ...sample.params, ...Object.fromEntries(Object.entries(params).filter(([name]) => name in sample.params)) },
})

/** The read of the record and the list of its collection, and those of the record that the action leaves behind. */
function readersOf({ operations }: ApiModel, { effect }: Operation): Operation[] {
  if (effect.kind !== 'action') return []
  const of = (kind: 'read' | 'list', collection: string | undefined) =>
    operations.find(
      (other) =>
        other.method === 'GET' &&
        other.effect.kind === kind &&
        'collection' in other.effect &&
        other.effect.collection === collection,
    )
  const { collection, makes } = effect
  const readers = [of('read', collection), of('list', collection), of('list', makes?.collection)]
  return readers.flatMap((reader) => reader ?? [])
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
