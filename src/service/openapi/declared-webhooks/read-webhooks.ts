import { CHANGES } from '../../../names/event-kinds.ts'
import { verbWords } from '../../../names/verbs.ts'
import { foldName } from '../../../names/words.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import { fieldsOf, schemaOfBody } from '../inference/bodies/bodies.ts'
import type { ApiModel, CollectionModel, DeclaredEvent, Operation } from '../model.ts'
import { holdsJson, objectEntries, textOf } from '../operation-draft.ts'
import { METHODS } from '../operation-reader.ts'
import type { SchemaReader } from '../schemas/schema-reader.ts'
import { BodyReader, ENVELOPES, RECORD_HOLDERS } from './event-body.ts'
import { type EventAction, EventNouns, type Meaning, meaningOf, wordsWithout } from './event-meaning.ts'

/** Most webhooks that are read of a description. */
const MOST_WEBHOOKS = 500
/** Most kinds of events and alternative bodies of one webhook, and most events of all. */
const MOST_KINDS = 200
const MOST_EVENTS = 1_000

/** The collections that events may be about. */
interface Known {
  readonly nouns: EventNouns
  readonly collections: readonly CollectionModel[]
  readonly bodies: BodyReader
  readonly operations: readonly Operation[]
}

/** A webhook as described. */
interface Written {
  readonly name: string
  /** Its name, its `operationId` and its summary: the first that makes sense tells what it is about. */
  readonly texts: readonly string[]
  readonly body: Schema | undefined
}

/**
 * The events that a description declares under `webhooks` (OpenAPI 3.1) or `x-webhooks`, of changes that the
 * simulation makes: `order.created`, `newPet`, `invoice.paid`. Others are left out with a warning, as nothing would cause
 * them. Pauses after each webhook.
 */
export function* readDeclaredEvents(
  document: JsonObject,
  reader: SchemaReader,
  { collections, operations }: Pick<ApiModel, 'collections' | 'operations'>,
): Generator<undefined, { readonly declaredEvents: readonly DeclaredEvent[]; readonly unsent: readonly string[] }> {
  const written = objectEntries(document.webhooks ?? document['x-webhooks']).slice(0, MOST_WEBHOOKS)
  if (written.length === 0) return { declaredEvents: [], unsent: [] }
  const known = { nouns: new EventNouns(collections), collections, bodies: new BodyReader(), operations }
  const events = new Map<string, DeclaredEvent>()
  const unexplained: string[] = []
  for (const [name, raw] of written) {
    yield
    const webhook = readWebhook(name, raw, reader)
    if (webhook === undefined || known.bodies.isSpent || events.size >= MOST_EVENTS) continue
    const found = eventsOf(webhook, known)
    if (found.length === 0) unexplained.push(`\`${name}\``)
    for (const event of found) events.set(`${event.type} ${event.collection} ${event.verbs}`, event)
  }
  const declaredEvents = [...events.values()].slice(0, MOST_EVENTS)
  if (unexplained.length === 0) return { declaredEvents, unsent: [] }
  const more = unexplained.length > MOST_NAMED ? ` and ${unexplained.length - MOST_NAMED} more` : ''
  const unsent = `Webhooks are not sent (${unexplained.slice(0, MOST_NAMED).join(', ')}${more}): no change of a record is known to cause them. Sign and post one in the test with \`signWebhook\`.`
  return { declaredEvents, unsent: [unsent] }
}

/** Most names in one warning. */
const MOST_NAMED = 20

function readWebhook(name: string, raw: JsonObject, reader: SchemaReader): Written | undefined {
  const item = reader.references.resolve(raw).value
  const operation = METHODS.map((method) => item[method]).find(isJsonObject)
  if (operation === undefined) return undefined
  const { content } = reader.references.resolve(operation.requestBody).value
  const media = objectEntries(content).find(([type]) => holdsJson(type))?.[1]
  const texts = [name, textOf(operation.operationId), textOf(operation.summary)].filter((text) => text !== undefined)
  return { name, texts, body: reader.read(media?.schema) }
}

function eventsOf(webhook: Written, known: Known): DeclaredEvent[] {
  const { name, texts, body } = webhook
  if (body === undefined) return eventOf(webhook, { type: name, texts }, known)
  const bodies = body.fields.size === 0 ? (body.variants ?? [body]) : [body]
  return bodies.slice(0, MOST_KINDS).flatMap((one) => {
    const named = findNameField(one)
    const kinds = named === undefined ? [] : kindsOf(named, webhook, known)
    const all = kinds.length > 0 ? kinds : [{ type: name, texts }]
    return all.flatMap((kind) => eventOf({ ...webhook, body: one }, { ...kind, named }, known))
  })
}

/** One kind of event of a webhook. */
interface Kind {
  readonly type: string
  /** What the body's field for the name holds. @default the type */
  readonly value?: string
  readonly texts: readonly string[]
  readonly named?: NameField | undefined
}

/** The events of a body whose field names them; none where its values do not. */
function kindsOf({ values }: NameField, { name, texts, body }: Written, known: Known): Kind[] {
  const { nouns } = known
  const same = values.find((value) => foldName(value) === foldName(name))
  if (same !== undefined) return [{ type: same, texts: [same, ...texts] }]
  const own = changeOf(texts, body, known)
  return values.slice(0, MOST_KINDS).flatMap((value): Kind[] => {
    const found = nouns.findIn(value)
    if (found !== undefined) {
      const isOwn = own === undefined || (found.collection === own.collection && tells(found, own))
      return isOwn ? [{ type: value, texts: [value] }] : []
    }
    // `action: created` beside the webhook `orders`.
    return own !== undefined && meaningOf([value], own.collection) !== undefined
      ? [{ type: `${name}.${value}`, value, texts: [`${own.collection.singular}.${value}`] }]
      : []
  })
}

/** Whether a value names a change that a webhook is about: all of them, or the one of its name. */
function tells(
  { collection, rest }: { collection: CollectionModel; rest: readonly string[] },
  own: DeclaredChange,
): boolean {
  const isAny = own.meaning.verbs.length === CHANGES.length
  return isAny || JSON.stringify(meaningOf(rest, collection)) === JSON.stringify(own.meaning)
}

function eventOf({ body }: Written, { type, value = type, texts, named }: Kind, known: Known): DeclaredEvent[] {
  const found = changeOf(texts, body, known)
  if (found === undefined) return []
  const { collection, meaning } = found
  const places = body === undefined ? [] : known.bodies.placesOf(body, collection, named && { path: named.path, value })
  const event = { type: type.replaceAll(/[\s*]+/g, '_').slice(0, MOST_TYPE), collection: collection.name, ...meaning }
  return [{ ...event, body: body && { schema: body, places } }]
}

/** Longest type of an event. */
const MOST_TYPE = 200

/** The change that a webhook announces. */
interface DeclaredChange {
  readonly collection: CollectionModel
  readonly meaning: Meaning
}

function changeOf(
  texts: readonly string[],
  body: Schema | undefined,
  { nouns, collections, bodies, operations }: Known,
): DeclaredChange | undefined {
  const shown = body && bodies.shownIn(body, collections)
  let first: CollectionModel | undefined
  for (const text of texts) {
    const found = nouns.findIn(text)
    const collection = found?.collection ?? shown
    if (collection === undefined || (first !== undefined && collection !== first)) continue
    first = collection
    const words = found?.rest ?? wordsWithout(text, collection)
    const meaning = meaningOf(words, collection) ?? meaningOf(words, collection, actionsOf(collection, operations))
    if (meaning !== undefined) return { collection, meaning }
  }
  return undefined
}

/** The actions on records of a collection, with what they change. */
function actionsOf({ name, schema, statusField }: CollectionModel, operations: readonly Operation[]): EventAction[] {
  const own = fieldsOf(schema)
  return operations.flatMap(({ effect, requestBody }) => {
    if (effect.kind !== 'action' || effect.collection !== name) return []
    const { verb, toStatus, sets, body } = effect
    const sent = fieldsOf(body?.schema ?? schemaOfBody(requestBody))
    const isMoved = toStatus !== undefined && statusField !== null
    const changes = [...sets.map(({ field: [top = ''] }) => top), ...sent.keys()].filter((field) => own.has(field))
    return {
      verb: verbWords(verb).join(' '),
      becomes: isMoved ? { [statusField.join('.')]: toStatus } : undefined,
      changes: [...new Set(changes)],
    }
  })
}

/** The field of a body that names its event, and its values. */
interface NameField {
  readonly path: FieldPath
  /** One value for a body of one event, several for a body that events share. */
  readonly values: readonly string[]
}

/** Names of such fields, folded; those that records have as well come last. */
const NAMES = 'eventtype webhooktype eventname event eventkind topic trigger type action kind name'.split(' ')
/** A name may stand in an object of the body: `{ event: { type } }`. */
const DEPTH = 2
/** Most fields of one object that are looked at. */
const MOST_FIELDS = 100

/** The field of a body that names its event, by its fixed values or its example; undefined without one. */
function findNameField(body: Schema, depth = DEPTH): NameField | undefined {
  const fields = [...body.fields].slice(0, MOST_FIELDS)
  const named = fields
    .flatMap(([name, schema]) => {
      const rank = NAMES.indexOf(foldName(name))
      const values = rank < 0 ? [] : valuesOf(schema)
      return values.length > 0 ? [{ rank, field: { path: [name], values } }] : []
    })
    .toSorted((left, right) => left.rank - right.rank)
  if (named[0] !== undefined || depth <= 1) return named[0]?.field
  for (const [name, schema] of fields) {
    if (!ENVELOPES.has(foldName(name)) && !RECORD_HOLDERS.has(foldName(name))) continue
    const below = findNameField(schema, depth - 1)
    if (below !== undefined) return { path: [name, ...below.path], values: below.values }
  }
  return undefined
}

function valuesOf({ enum: values, example, default: usual }: Schema): string[] {
  return (values ?? [example, usual]).filter((value) => typeof value === 'string' && value !== '') as string[]
}
