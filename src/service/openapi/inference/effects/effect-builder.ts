import { verbOf } from '../../../../names/verbs.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { ActionSetting } from '../../action-setting.ts'
import { lazily } from '../../lazily.ts'
import type { Effect, Envelope, ItemKey, LeftBehind } from '../../model.ts'
import { onePer } from '../../one-per.ts'
import { schemaBelow } from '../../schemas/schema-fields.ts'
import { declaredRefusal, describedRefusal } from '../actions/declared-refusal.ts'
import type { SettingFinder } from '../actions/setting-rules.ts'
import { statusLedTo, verbInBody } from '../actions/status.ts'
import { fieldsOf, isArraySchema, isObjectSchema, schemaOfBody, schemaOfResponse } from '../bodies/bodies.ts'
import { type Addressing, namesSeveral } from '../collections/addressing.ts'
import type { Catalogue } from '../collections/catalogue.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import {
  bodyEnvelope,
  deleteEnvelope,
  isRecordOf,
  listEnvelope,
  NO_RECORD,
  recordEnvelope,
  showsRecord,
} from '../collections/envelopes.ts'
import type { SingletonFinder } from '../collections/singletons.ts'
import { keyOfSteps, type PathShape, type Step, untilParam } from '../paths/path-shape.ts'
import type { PathSite, Placed } from '../paths/sites.ts'
import { asAnswered, findPaging } from './paging.ts'

/** An action on a list of the record: `POST` adds an item, and a path parameter identifies one. */
export function ofItems(
  setting: ActionSetting,
  schema: Schema | undefined,
  { method, inPath }: { readonly method: string; readonly inPath: readonly string[] },
): ActionSetting {
  const { field, to } = setting
  const param = inPath.length === 1 ? inPath[0] : undefined
  if (to === 'added' || to === 'removed') return param === undefined ? setting : { field, to, param }
  if (to !== 'argument' || !isArraySchema(schema)) return setting
  if (param !== undefined) return { field, to: method === 'DELETE' ? 'removed' : 'item', param }
  return method === 'POST' && isObjectSchema(schema?.items) ? { field, to: 'added' } : setting
}

/** `PATCH /users/{id}/set_active { active: false }` has its own value; one in the query has no words in the model. */
function asAsked(setting: ActionSetting, { requestBody, parameters }: Placed['draft']): readonly ActionSetting[] {
  const { field, to } = setting
  if (typeof to !== 'object' || !('value' in to) || typeof to.value !== 'boolean') return [setting]
  const stem = foldName(field.at(-1) ?? '').replace(/^is/, '')
  const isOf = ([name, schema]: readonly [string, Schema | undefined]) =>
    foldName(name).replace(/^is/, '') === stem && schema?.types.join() === 'boolean'
  const sent = [...fieldsOf(schemaOfBody(requestBody))].find(isOf)
  if (sent) return [{ field, to: { sent: [sent[0]] } }]
  return parameters.some(({ in: place, name, schema }) => place === 'query' && isOf([name, schema])) ? [] : [setting]
}

/** Verbs whose results are computed and not kept. */
const WORKS_OUT =
  /^(preview|estimate|calculate|recalculate|validate|verify|test|check|simulate|evaluate|render|download|search|find|get|list|show|read|count|query|lookup|diff|compare|login|authenticate)/i
/** Most fields of an answer's parts that are compared with records. */
const MOST_PARTS = 40

/** Whether an operation is only begun when it answers. */
const isJob = ({ success }: Placed['draft']): boolean => success.status === 202

/** Builds an operation's effect of a known kind. */
export class EffectBuilder {
  readonly #catalogue: Catalogue
  readonly #addressing: Addressing
  readonly #singletons: SingletonFinder
  readonly #settings: SettingFinder
  readonly #pagingOf = onePer(findPaging)

  constructor(catalogue: Catalogue, addressing: Addressing, singletons: SingletonFinder, settings: SettingFinder) {
    this.#settings = settings
    this.#catalogue = catalogue
    this.#addressing = addressing
    this.#singletons = singletons
  }

  list({ draft, shape }: Placed, collection: CollectionDraft, kind: 'list' | 'search'): Effect {
    const pagingOf = this.#pagingOf
    return lazily({
      kind,
      collection: collection.name,
      scope: this.#scope(shape, shape.steps, collection),
      get envelope() {
        return listEnvelope(draft, collection)
      },
      get paging() {
        const answer = schemaOfResponse(draft.success)
        const most = schemaBelow(answer, this.envelope.path)?.maxItems
        const order = draft.oldestFirst && { oldestFirst: true as const }
        return { ...asAnswered(pagingOf(draft.parameters), answer), most, ...order }
      },
    })
  }

  create({ draft, shape }: Placed, collection: CollectionDraft): Effect {
    return lazily({
      kind: 'create',
      collection: collection.name,
      scope: this.#scope(shape, shape.steps, collection),
      get envelope() {
        return recordEnvelope(draft, collection)
      },
      get body() {
        return bodyEnvelope(draft, collection)
      },
    })
  }

  one(
    operation: Placed,
    collection: CollectionDraft,
    kind: 'read' | 'update' | 'replace' | 'delete',
    options: { readonly isCreating?: boolean; readonly key?: ItemKey } = {},
  ): Effect {
    const { draft, shape } = operation
    const inPath = this.#addressing.keysOf(untilParam(shape.steps), collection)
    const isOpen = inPath.keys.length === 0
    const inRequest = isOpen ? (options.key ?? this.#addressing.keyInRequest(operation, collection)) : undefined
    const isMaking = verbOf(draft)?.kind === 'create' || !collection.site.own.has('POST')
    const isPut = kind === 'replace' && (isMaking || this.#catalogue.linkedBy(collection) !== undefined)
    return lazily({
      kind,
      collection: collection.name,
      scope: this.#scope(shape, isOpen ? shape.steps : inPath.outer, collection, !isOpen),
      keys: inRequest ? [inRequest] : inPath.keys,
      get envelope() {
        return kind === 'delete' ? deleteEnvelope(draft, collection) : recordEnvelope(draft, collection)
      },
      get body() {
        return kind === 'read' || kind === 'delete' ? undefined : bodyEnvelope(draft, collection)
      },
      upsert: kind !== 'read' && (options.isCreating === true || isPut || !this.#catalogue.isReadable(collection)),
      get refusal() {
        return kind === 'read' ? undefined : describedRefusal(draft, collection.schema)
      },
    })
  }

  many(operation: Placed, collection: CollectionDraft, kind: 'bulkCreate' | 'bulkUpdate' | 'bulkDelete'): Effect {
    const { draft, shape } = operation
    const madeBy = this.#madeBy.bind(this)
    return lazily({
      kind,
      collection: collection.name,
      scope: this.#scope(shape, shape.steps, collection),
      get envelope() {
        return kind === 'bulkDelete' ? NO_RECORD : listEnvelope(draft, collection)
      },
      get makes() {
        return isJob(draft) ? madeBy(operation, collection, '') : undefined
      },
      get body() {
        return bodyEnvelope(draft, collection)
      },
    })
  }

  /** `target`: the path of the changed record or collection. */
  action(operation: Placed, collection: CollectionDraft, target: readonly Step[], verb: string): Effect {
    const madeBy = this.#madeBy.bind(this)
    const settings = this.#settings
    const { draft, shape } = operation
    const { keys, outer } = this.#addressing.keysOf(target, collection)
    const inRequest = keys.length === 0 ? this.#addressing.keyInRequest(operation, collection) : undefined
    return lazily({
      kind: 'action',
      collection: collection.name,
      scope: this.#scope(shape, keys.length > 0 ? outer : target, collection, keys.length > 0),
      keys: inRequest ? [inRequest] : keys,
      get many(): boolean {
        if (keys.length > 0 || inRequest !== undefined || draft.method === 'GET') return false
        if (namesSeveral(draft, collection)) return true
        return draft.requestBody === undefined && (this.toStatus !== undefined || this.sets.length > 0)
      },
      verb,
      get toStatus() {
        return statusLedTo(verb, collection.schema, collection.statusField)
      },
      get refusal() {
        return declaredRefusal(draft, collection.schema, { verb, toStatus: this.toStatus })
      },
      get sets(): readonly ActionSetting[] {
        const { isPlain: isOpen, schema } = collection
        const { method } = draft
        const inPath = shape.trailing.filter((param) => !keys.some((key) => key.param === param))
        return settings
          .settingsOf(method === 'DELETE' ? `un${verb}` : verb, schema, isOpen)
          .map((setting) => ofItems(setting, schemaBelow(schema, setting.field), { method, inPath }))
          .flatMap((setting) => asAsked(setting, draft))
          .filter(
            ({ to, param }) => !isOpen || to !== 'argument' || param !== undefined || draft.requestBody !== undefined,
          )
      },
      get verbInBody() {
        return verbInBody(draft, collection, settings, this.toStatus === undefined && this.sets.length === 0)
      },
      get makes() {
        return keys.length > 0 || isJob(draft) ? madeBy(operation, collection, verb) : undefined
      },
      get envelope(): Envelope {
        const envelope = recordEnvelope(draft, collection)
        return this.makes === undefined && showsRecord(envelope, collection) ? envelope : NO_RECORD
      },
      get body() {
        return bodyEnvelope(draft, collection)
      },
    })
  }

  singleton(
    operation: Placed,
    site: PathSite,
    kind: 'singletonRead' | 'singletonUpdate' | 'singletonReplace' | 'singletonDelete',
  ): Effect {
    const singletons = this.#singletons
    const singleton = singletons.at(site)
    const { draft } = operation
    const isWrite = kind === 'singletonUpdate' || kind === 'singletonReplace'
    return lazily({
      kind,
      singleton: singleton.name,
      whole: singleton.whole,
      scope: this.#addressing.scopeOf(site.steps, undefined, { isView: false, isKeyed: false }),
      get envelope() {
        return singletons.envelopeOf(singleton, schemaOfResponse(draft.success), kind === 'singletonDelete')
      },
      get body() {
        return isWrite ? singletons.bodyOf(singleton, schemaOfBody(draft.requestBody)) : undefined
      },
    })
  }

  /** The readable record that an action on `acted` creates, by its answer: the job of a restart, the payment of an order. */
  #madeBy(operation: Placed, acted: CollectionDraft, verb: string): LeftBehind | undefined {
    const { draft, shape } = operation
    if ((draft.method !== 'POST' && draft.method !== 'PUT') || WORKS_OUT.test(verb)) return undefined
    const answer = schemaOfResponse(draft.success)
    const parts = [...fieldsOf(answer).values()]
    // `{ success, data: { file_operation: {...} } }`.
    const deeper = parts.filter(isObjectSchema).flatMap((part) => [...fieldsOf(part).values()])
    for (const shown of [answer, ...parts, ...deeper.slice(0, MOST_PARTS)]) {
      const alike = this.#catalogue.alike(shown).filter((one) => one.idField && this.#catalogue.isReadable(one))
      if (alike.includes(acted)) continue
      const collection = alike.find((one) => this.#catalogue.parentOf(one)?.collection === acted) ?? alike[0]
      if (!collection || this.#addressing.keyInRequest(operation, collection)) continue
      const envelope = recordEnvelope(draft, collection)
      if (envelope.shape !== 'record' || !isRecordOf(envelope, collection)) continue
      const scope = this.#addressing.scopeOf(shape.steps, collection, { isView: true, isKeyed: false })
      return { collection: collection.name, scope, envelope }
    }
    return undefined
  }

  #scope(shape: PathShape, steps: readonly Step[], collection: CollectionDraft, isKeyed = false) {
    // `/times/{user}`: the last parameter filters a list.
    const isView =
      (steps === shape.steps && shape.trailing.length > 0) ||
      this.#catalogue.shownAt(shape.base) !== collection ||
      collection.site.key !== keyOfSteps(shape.base)
    return this.#addressing.scopeOf(steps, collection, { isView, isKeyed })
  }
}
