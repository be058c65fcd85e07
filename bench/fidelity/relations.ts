import { foldNoun } from '../../src/names/nouns.ts'
import { foldName } from '../../src/names/words.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'
import type { ApiModel, Operation } from '../../src/service/openapi/model.ts'
import { inside, lastParam, learnKey, listIn, nounOf, wantedBy } from './answers.ts'
import { show } from './http.ts'
import type { Subject } from './open-simulation.ts'
import { type SimulationClient, withLargestPage } from './simulation-client.ts'
import { count, newTally, type Tally } from './tally.ts'

/** Whether an id that a field shows can be read: `project_id` of a task by `GET /projects/{id}`. */
export async function measureRelations({ model }: Subject, client: SimulationClient): Promise<Tally> {
  const tally = newTally()
  const targets = targetsOf(model)
  for (const operation of model.operations) {
    const { effect } = operation
    if (effect.kind !== 'read' || operation.method !== 'GET') continue
    const { json, status } = await client.send(operation, client.sample(operation))
    const record =
      status === 200 || status === operation.success.status ? inside(json, effect.envelope.path) : undefined
    if (!isJsonObject(record)) continue
    const declared = model.collections.find(({ name }) => name === effect.collection)?.relations ?? []
    for (const [field, value] of Object.entries(record)) {
      const relation = declared.find((candidate) => candidate.field.length === 1 && candidate.field[0] === field)
      const target = relation
        ? targets.byCollection.get(relation.collection)
        : nounOfField(field) === ''
          ? undefined
          : targets.byNoun.get(nounOfField(field))
      if (!target || target === operation || ownKey(field, operation)) continue
      const id = idIn(value, target)
      if (id === undefined) continue
      const sample = client.sample(target)
      sample.params[lastParam(target.path)] = id
      const shown = await client.send(target, sample)
      const isFound =
        shown.status === 200 || shown.status === target.success.status || (await isListed(model, client, target, id))
      count(
        tally,
        { method: 'GET', path: `${operation.path} ${field}` },
        isFound ? undefined : `${target.path} of ${id} answered ${shown.status} ${show(shown.json)}`,
      )
    }
  }
  return tally
}

/** An id of records that are read by another key, `/organizations/{username}`, leads to the one that the list shows with it. */
async function isListed(model: ApiModel, client: SimulationClient, target: Operation, id: string): Promise<boolean> {
  const name = 'collection' in target.effect ? target.effect.collection : ''
  const list = model.operations.find(({ effect }) => effect.kind === 'list' && effect.collection === name)
  if (!list) return false
  const { json } = await client.send(list, withLargestPage(list, client.sample(list)))
  const items = (listIn(json, nounOf(list.path)) ?? []).filter(isJsonObject)
  const own = foldNoun(nounOf(list.path))
  const isOwnId = (field: string) => ['id', 'uuid', `${own}id`, `${own}uuid`].includes(foldName(field))
  return items.some((item) => Object.entries(item).some(([field, value]) => isOwnId(field) && String(value) === id))
}

interface Targets {
  readonly byCollection: ReadonlyMap<string, Operation>
  readonly byNoun: ReadonlyMap<string, Operation>
}

/** Reads of one record by nothing but its key. */
function targetsOf(model: ApiModel): Targets {
  const reads = model.operations.filter(
    ({ effect, method, path }) => effect.kind === 'read' && method === 'GET' && /^[^{}]*\/\{[^{}/]+\}\/?$/.test(path),
  )
  const byCollection = new Map<string, Operation>()
  const byNoun = new Map<string, Operation>()
  for (const read of reads) {
    if (!('collection' in read.effect)) continue
    if (!byCollection.has(read.effect.collection)) byCollection.set(read.effect.collection, read)
    const noun = foldNoun(nounOf(read.path))
    if (!byNoun.has(noun)) byNoun.set(noun, read)
  }
  return { byCollection, byNoun }
}

/** `project` of `project_id` and of `projectId`; '' for fields that hold no single id. */
const nounOfField = (field: string): string => foldName(/^(.+?)_?(id|Id|ID|gid|uuid|sid)$/.exec(field)?.[1] ?? '')

/** Whether the field is the record's own key: `task_id` of a task. */
const ownKey = (field: string, { path }: Operation): boolean =>
  foldName(field) === foldName(lastParam(path)) ||
  nounOfField(field) === foldNoun(nounOf(path)) ||
  /^(id|_id|uuid|gid|sid)$/.test(field)

function idIn(value: Json | undefined, target: Operation): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value === 'number') return String(value)
  const one: JsonObject | undefined = isJsonObject(value) ? value : undefined
  return one && learnKey(one, wantedBy(target))
}
