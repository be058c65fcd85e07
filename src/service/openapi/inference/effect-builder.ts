import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { ActionSetting } from '../action-setting.ts'
import type { Effect, ItemKey } from '../model.ts'
import { onePer } from '../one-per.ts'
import { schemaBelow } from '../schema-fields.ts'
import { namesGiven, settingsOf } from './action-settings.ts'
import type { Addressing } from './addressing.ts'
import { isArraySchema, isObjectSchema, schemaOfBody, schemaOfResponse } from './bodies.ts'
import type { Catalogue } from './catalogue.ts'
import type { CollectionDraft } from './collection-draft.ts'
import { bodyEnvelope, createdEnvelope, deleteEnvelope, listEnvelope, NO_RECORD, recordEnvelope } from './envelopes.ts'
import { namesSeveral } from './named-several.ts'
import { OutcomeFinder } from './outcome.ts'
import { asAnswered, findPaging } from './paging.ts'
import { keyOfSteps, type Step, untilParam } from './path-shape.ts'
import { findStatusField } from './record-fields.ts'
import { showsRecord } from './record-match.ts'
import type { SingletonFinder } from './singletons.ts'
import type { PathSite, Placed } from './sites.ts'
import { statusAfter, verbOf } from './verbs.ts'

/** What an action does to a list of the record: `POST` adds an item, and a parameter of the path names one. */
function ofItems(
  setting: ActionSetting,
  schema: Schema | undefined,
  { method, inPath }: { readonly method: string; readonly inPath: readonly string[] },
): ActionSetting {
  const { field, to } = setting
  const [param, ...more] = inPath
  const isOne = param !== undefined && more.length === 0
  if (to === 'added' || to === 'removed') return isOne ? { field, to, param } : setting
  if (to !== 'argument' || !isArraySchema(schema)) return setting
  if (isOne) return { field, to: method === 'DELETE' ? 'removed' : 'item', param }
  return method === 'POST' && isObjectSchema(schema?.items) ? { field, to: 'added' } : setting
}

/** Builds the effect of an operation, once its kind is known. */
export class EffectBuilder {
  readonly #catalogue: Catalogue
  readonly #addressing: Addressing
  readonly #singletons: SingletonFinder
  readonly #outcomes: OutcomeFinder
  readonly #pagingOf = onePer(findPaging)

  constructor(catalogue: Catalogue, addressing: Addressing, singletons: SingletonFinder) {
    this.#catalogue = catalogue
    this.#addressing = addressing
    this.#singletons = singletons
    this.#outcomes = new OutcomeFinder(catalogue, addressing)
  }

  list(operation: Placed, collection: CollectionDraft, kind: 'list' | 'search'): Effect & { kind: 'list' | 'search' } {
    return {
      kind,
      collection: collection.name,
      scope: this.#scope(operation, operation.shape.steps, collection),
      envelope: listEnvelope(operation.draft, collection),
      paging: asAnswered(this.#pagingOf(operation.draft.parameters), schemaOfResponse(operation.draft.success)),
    }
  }

  /** How many records there are: the answer shows none of them. */
  count(operation: Placed, collection: CollectionDraft): Effect {
    return { ...this.list(operation, collection, 'search'), envelope: NO_RECORD }
  }

  create(operation: Placed, collection: CollectionDraft): Effect {
    return {
      kind: 'create',
      collection: collection.name,
      scope: this.#scope(operation, operation.shape.steps, collection),
      envelope: createdEnvelope(operation.draft, collection),
      body: bodyEnvelope(operation.draft, collection),
    }
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
    return {
      kind,
      collection: collection.name,
      scope: this.#scope(operation, isOpen ? shape.steps : inPath.outer, collection, !isOpen),
      keys: inRequest ? [inRequest] : inPath.keys,
      envelope: kind === 'delete' ? deleteEnvelope(draft, collection) : recordEnvelope(draft, collection),
      body: kind === 'read' || kind === 'delete' ? undefined : bodyEnvelope(draft, collection),
      upsert: kind !== 'read' && (options.isCreating === true || isPut || !this.#catalogue.isReadable(collection)),
    }
  }

  many(operation: Placed, collection: CollectionDraft, kind: 'bulkCreate' | 'bulkUpdate' | 'bulkDelete'): Effect {
    return {
      kind,
      collection: collection.name,
      scope: this.#scope(operation, operation.shape.steps, collection),
      envelope: kind === 'bulkDelete' ? NO_RECORD : listEnvelope(operation.draft, collection),
      body: bodyEnvelope(operation.draft, collection),
    }
  }

  /**
   * `target`: the path of the record or the collection that the action changes; `part`: the field of the record that takes
   * what the request gives.
   */
  action(
    operation: Placed,
    collection: CollectionDraft,
    target: readonly Step[],
    verb: string,
    part: FieldPath = [],
  ): Effect {
    const { keys, outer } = this.#addressing.keysOf(target, collection)
    const inRequest = keys.length === 0 ? this.#addressing.keyInRequest(operation, collection) : undefined
    const status = findStatusField(collection.schema)
    const envelope = recordEnvelope(operation.draft, collection)
    const makes = keys.length === 0 ? undefined : this.#outcomes.madeBy(operation, collection, verb)
    const { isPlain: isOpen } = collection
    const toStatus = status ? statusAfter(verb, schemaBelow(collection.schema, status), status.at(-1) ?? '') : undefined
    const { method } = operation.draft
    const inPath = operation.shape.trailing.filter((param) => !keys.some((key) => key.param === param))
    const found: readonly ActionSetting[] =
      part.length > 0
        ? [{ field: part, to: 'argument' }]
        : settingsOf(method === 'DELETE' ? `un${verb}` : verb, collection.schema, {
            isOpen,
            given: [...namesGiven(operation.draft), ...inPath],
          })
    const sets = found.map((setting) =>
      ofItems(setting, schemaBelow(collection.schema, setting.field), { method, inPath }),
    )
    return {
      kind: 'action',
      collection: collection.name,
      scope: this.#scope(operation, keys.length > 0 ? outer : target, collection, keys.length > 0),
      keys: inRequest ? [inRequest] : keys,
      many:
        keys.length === 0 &&
        inRequest === undefined &&
        operation.draft.method !== 'GET' &&
        (namesSeveral(operation.draft, collection) ||
          (operation.draft.requestBody === undefined && (toStatus !== undefined || sets.length > 0))),
      verb,
      toStatus,
      sets,
      makes,
      envelope: makes === undefined && showsRecord(envelope, collection) ? envelope : NO_RECORD,
      body: bodyEnvelope(operation.draft, collection),
    }
  }

  /** An action that puts what a path parameter names into a list of the record, or takes it out. */
  member(
    operation: Placed,
    owner: { readonly collection: CollectionDraft; readonly steps: readonly Step[] },
    setting: ActionSetting,
  ): Effect {
    const verb = setting.to === 'removed' ? 'remove' : 'add'
    const action = this.action(operation, owner.collection, owner.steps, verb)
    return action.kind === 'action' ? { ...action, toStatus: undefined, sets: [setting], makes: undefined } : action
  }

  singleton(
    operation: Placed,
    site: PathSite,
    kind: 'singletonRead' | 'singletonUpdate' | 'singletonReplace' | 'singletonDelete',
  ): Effect {
    const singleton = this.#singletons.at(site)
    const { draft } = operation
    const isWrite = kind === 'singletonUpdate' || kind === 'singletonReplace'
    return {
      kind,
      singleton: singleton.name,
      whole: singleton.whole,
      scope: this.#addressing.scopeOf(site.steps, undefined, { isView: false, isKeyed: false }),
      envelope: this.#singletons.envelopeOf(singleton, schemaOfResponse(draft.success), kind === 'singletonDelete'),
      body: isWrite ? this.#singletons.bodyOf(singleton, schemaOfBody(draft.requestBody)) : undefined,
    }
  }

  #scope({ shape }: Placed, steps: readonly Step[], collection: CollectionDraft, isKeyed = false) {
    // `/times/{user}`: the parameter at the end narrows a list.
    const isView =
      (steps === shape.steps && shape.trailing.length > 0) ||
      this.#catalogue.shownAt(shape.base) !== collection ||
      collection.site.key !== keyOfSteps(shape.base)
    return this.#addressing.scopeOf(steps, collection, { isView, isKeyed })
  }
}
