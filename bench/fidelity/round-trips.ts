import { singularName } from '../../src/names/nouns.ts'
import { foldName } from '../../src/names/words.ts'
import { isJsonObject, type Json } from '../../src/protocol/json.ts'
import type { FieldPath } from '../../src/schema/schema.ts'
import type { Effect, Operation } from '../../src/service/openapi/model.ts'
import { inside, isKnownBy, lastParam, learnKey, listIn, nounOf, type Wanted, wantedBy } from './answers.ts'
import { type Answer, show } from './http.ts'
import { lostPart } from './lost-part.ts'
import type { Subject } from './open-simulation.ts'
import type { Sample } from './sample.ts'
import { type About, type SimulationClient, withLargestPage } from './simulation-client.ts'
import { count, newTally, type Tally } from './tally.ts'

type OperationOf<K extends Effect['kind']> = Operation & { readonly effect: Effect & { readonly kind: K } }

/** Operations of a description on the records of one collection. */
interface Trip {
  readonly create: OperationOf<'create'>
  readonly read: OperationOf<'read'>
  readonly list: OperationOf<'list'> | undefined
  readonly update: OperationOf<'update' | 'replace'> | undefined
  readonly remove: OperationOf<'delete'> | undefined
}

/** Create, read back, found in the list, update, delete, 404: whichever of these each collection has, over HTTP. */
export async function measureRoundTrips({ model }: Subject, client: SimulationClient): Promise<Tally> {
  const tally = newTally()
  for (const trip of findTrips(
    model.operations,
    model.collections.map(({ name }) => name),
  )) {
    const { id } = model.collections.find(({ name }) => name === trip.create.effect.collection) ?? {}
    const fault = await runTrip(trip, client, id?.field).catch((error: Error) => `threw ${error.message}`)
    count(tally, trip.create, fault)
  }
  return tally
}

const byLength = (left: Operation, right: Operation): number => left.segments.length - right.segments.length

/** `GET /me` shows another record than the one that was made. */
const isAboutCaller = (effect: Effect): boolean =>
  'keys' in effect && (('of' in effect && !!effect.of) || effect.keys.some(({ in: place }) => place === 'caller'))

function findTrips(operations: readonly Operation[], collections: readonly string[]): Trip[] {
  return collections.flatMap((collection) => {
    const of = <K extends Effect['kind']>(...kinds: K[]): OperationOf<K>[] =>
      operations.filter(
        ({ effect }) =>
          (kinds as string[]).includes(effect.kind) &&
          'collection' in effect &&
          effect.collection === collection &&
          !isAboutCaller(effect),
      ) as OperationOf<K>[]
    const [read] = of('read').toSorted(byLength)
    const base = read?.path.replace(/(\/\{[^/]*)+\/?$/, '')
    const find = <K extends Effect['kind']>(...kinds: K[]): OperationOf<K> | undefined => {
      const found = of(...kinds).toSorted(byLength)
      return found.find(({ path }) => path === base || path === read?.path) ?? found[0]
    }
    const create = find('create')
    if (!create || !read || isMute(read)) return []
    return [{ create, read, list: find('list'), update: find('update', 'replace'), remove: find('delete') }]
  })
}

/** Whether an answer is described as an object that may hold nothing: nothing can be read back. */
function isMute({ success }: Operation): boolean {
  const schemas = [...success.content.values()].map(({ schema }) => schema)
  return (
    schemas.length > 0 && schemas.every((schema) => schema?.additionalProperties === false && schema.fields.size === 0)
  )
}

async function runTrip(
  trip: Trip,
  client: SimulationClient,
  keyPath: FieldPath | undefined,
): Promise<string | undefined> {
  const { create, read, list, update, remove } = trip
  const { sample, answer: made, before } = await createOnce(trip, client)
  const refusal = refused(create, made)
  if (refusal !== undefined) return `create ${refusal}`
  const wanted = keyWanted(read)
  const record = inside(made.json, create.effect.envelope.path)
  const key = await learnNewKey(trip, { client, made, before, sample, wanted })
  if (key === undefined) return 'no answer told the key of the new record'
  const sent = inside(sample.body, create.effect.body?.path ?? [])
  const about: About = { key, record: isJsonObject(record) ? record : {}, sent, params: sample.params }

  const shown = await client.about(read, about)
  if (!isShown(read, shown)) return `read answered ${shown.status} ${show(shown.json)}`
  const kept = inside(shown.json, read.effect.envelope.path)
  // The parent in the path wins over the parent in the body.
  const parents = create.effect.scope.flatMap(({ field }) => foldName(field?.[0] ?? ''))
  const view = {
    schema: read.effect.envelope.schema,
    keyNames: new Set([...keyNamesOf(read, wanted), ...parents]),
    keyPath,
  }
  const lost = lostPart(sent, kept, view)
  if (lost !== undefined) return `read back ${lost}`
  const known: About = { ...about, record: { ...about.record, ...(isJsonObject(kept) ? kept : {}) } }

  if (list && !(await isListed(client, list, known, wanted))) return `list ${list.path} does not show ${key}`
  if (update) {
    const sampled = client.sampleAbout(update, known)
    const changed = await client.send(update, sampled)
    const no = refused(update, changed)
    if (no !== undefined) return `update ${no}`
    const again = await client.about(read, known)
    if (!isShown(read, again)) return `read after update answered ${again.status}`
    const part = inside(sampled.body, update.effect.body?.path ?? [])
    const gone = lostPart(part, inside(again.json, read.effect.envelope.path), view)
    if (gone !== undefined) return `update lost ${gone}`
  }
  if (!remove) return undefined
  const removed = await client.about(remove, known)
  const no = refused(remove, removed)
  if (no !== undefined) return `delete ${no}`
  const gone = await client.about(read, known)
  return gone.status === 404 || isCancelled(remove, gone) ? undefined : `read after delete answered ${gone.status}`
}

/** Whether a read succeeded: by 200, or by the status that the description declares for it. */
const isShown = ({ success }: Operation, { status }: Answer): boolean => status === 200 || status === success.status

/** The miss of a status that is not the declared success. */
function refused({ responses }: Operation, { status, json }: Answer): string | undefined {
  const declared = [...responses.keys()]
  const isDeclared =
    declared.includes(String(status)) || declared.includes(`${String(status)[0]}XX`) || declared.includes('default')
  const isUntold = !declared.some((key) => /^[23]/.test(key))
  if (status < 400 && (isDeclared || isUntold)) return undefined
  return `answered ${status} ${show(json)}`
}

/** A delete that answers with the record may only cancel it: the record stays, with a status that says so. */
function isCancelled(remove: OperationOf<'delete'>, { json }: Answer): boolean {
  const says = /"(cancell?ed|cancell?ing|deleted|archived|inactive|terminated|closed|revoked|removed|disabled)"/i
  return remove.effect.envelope.shape !== 'none' && says.test(JSON.stringify(json ?? null))
}

function keyWanted(read: OperationOf<'read'>): Wanted {
  const [key] = read.effect.keys
  const wanted = wantedBy(read)
  return key && key.in !== 'path' ? { ...wanted, param: key.param } : wanted
}

/** Names of the fields that a key may stand in. */
function keyNamesOf({ effect, path }: OperationOf<'read'>, { param, noun }: Wanted): ReadonlySet<string> {
  const fields = effect.keys.flatMap(({ field }) => field?.at(-1) ?? [])
  return new Set(
    [
      ...fields,
      param,
      lastParam(path),
      'id',
      'uuid',
      'gid',
      'sid',
      'guid',
      '_id',
      `${noun}_id`,
      `${singularName(noun)}_id`,
    ].map(foldName),
  )
}

interface Made {
  readonly sample: Sample
  readonly answer: Answer
  /** Keys that the list showed before. */
  readonly before: ReadonlySet<string>
}

/** A generated key may be taken already: then another one is tried, as a user would. */
async function createOnce(trip: Trip, client: SimulationClient): Promise<Made> {
  const { create } = trip
  for (let attempt = 0; ; attempt++) {
    const sample = client.sample(create, attempt)
    const before = new Set(await listedKeys(trip, client, sample))
    const answer = await client.send(create, sample)
    if (answer.status !== 409 || attempt === 4) return { sample, answer, before }
  }
}

/** The key that the answer shows, else that its `Location` ends in, else what the list shows that it did not show before. */
async function learnNewKey(
  trip: Trip,
  {
    client,
    made,
    before,
    sample,
    wanted,
  }: { client: SimulationClient; made: Answer; before: ReadonlySet<string>; sample: Sample; wanted: Wanted },
): Promise<string | undefined> {
  const { create, read } = trip
  const record = inside(made.json, create.effect.envelope.path)
  const location = made.headers.get('location')
  const told = isJsonObject(record) || typeof record === 'number' ? learnKey(record, wanted) : undefined
  const candidates = [
    told,
    told === undefined ? learnKey(inside(made.json, []), wanted) : undefined,
    location === null ? undefined : decodeURIComponent(location.split(/[?#]/)[0]?.split('/').at(-1) ?? ''),
  ].filter((key) => key !== undefined && key !== '')
  const [key] = candidates
  if (key !== undefined && made.json !== undefined && typeof made.json !== 'string') return key
  const after = await listedKeys(trip, client, sample)
  const fresh = after.filter((listed) => !before.has(listed))
  if (fresh.length === 1) return fresh[0]
  const inPath =
    create.path.replace(/\/$/, '') === read.path.replace(/\/$/, '') ? sample.params[wanted.param] : undefined
  return key ?? inPath ?? learnKey(inside(sample.body, create.effect.body?.path ?? []), wanted)
}

async function listedKeys({ list, read }: Trip, client: SimulationClient, { params }: Sample): Promise<string[]> {
  if (!list) return []
  const plain = withLargestPage(list, client.sample(list))
  for (const name of Object.keys(plain.params)) if (params[name] !== undefined) plain.params[name] = params[name]
  const { json, status } = await client.send(list, plain)
  const wanted = keyWanted(read)
  const { path, shape } = list.effect.envelope
  const shown = shape === 'record' ? [inside(json, path)] : listIn(json, nounOf(list.path))
  return status === 200 || status === list.success.status
    ? (shown ?? []).flatMap((item) => learnKey(item, wanted) ?? [])
    : []
}

async function isListed(
  client: SimulationClient,
  list: OperationOf<'list'>,
  about: About,
  wanted: Wanted,
): Promise<boolean> {
  const { json, status } = await client.about(list, about)
  if (status !== 200 && status !== list.success.status) return false
  const { path, shape } = list.effect.envelope
  if (shape === 'none') return true
  const items = inside(json, []) === json ? atPath(json, path) : undefined
  // A list that is described as one record shows the newest.
  const shown = shape === 'record' ? [inside(json, path)] : (items ?? listIn(json, nounOf(list.path)))
  if (!Array.isArray(shown)) return false
  const keys = shown.map((item) => learnKey(item, wanted))
  // Items without any key can only be counted.
  return keys.every((key) => key === undefined)
    ? shown.length > 0
    : shown.some((item) => isKnownBy(item, about.key, wanted))
}

function atPath(json: Json | undefined, path: readonly string[]): Json[] | undefined {
  const found = path.reduce<Json | undefined>((now, name) => (isJsonObject(now) ? now[name] : undefined), json)
  return Array.isArray(found) ? found : undefined
}
