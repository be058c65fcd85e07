import { wordsOf } from '../../../names/words.ts'
import type { Effect } from '../model.ts'
import { isDownload, isObjectSchema, schemaOfResponse } from './bodies.ts'
import { BulkEffects } from './bulk-effects.ts'
import type { CollectionDraft } from './collection-draft.ts'
import { isRecordOf } from './effect-builder.ts'
import { bodyEnvelope, recordEnvelope } from './envelopes.ts'
import type { Kit } from './kit.ts'
import { lastStatic, type Step } from './path-shape.ts'
import { isSearchSegment } from './segment-words.ts'
import { findList, findRecord } from './shapes.ts'
import type { Placed, Site } from './sites.ts'
import { isVerbSegment, kindOfVerb, verbOf } from './verbs.ts'

const EXAMPLE: Effect = { kind: 'example' }

/** Effects of paths that end in a word which is no collection: a search, a verb, many at once, or a document of its own. */
export class StaticEffects {
  readonly #kit: Kit
  readonly #bulk: BulkEffects

  constructor(kit: Kit) {
    this.#kit = kit
    this.#bulk = new BulkEffects(kit)
  }

  effectOf(operation: Placed, site: Site): Effect {
    const { method } = operation.draft
    const text = lastStatic(site.steps)
    const outer = site.steps.slice(0, -1)
    const isRead = method === 'GET' || method === 'HEAD'
    if (isSearchSegment(text) || method === 'QUERY') {
      const found = this.#searched(operation, text, outer)
      if (found && (isRead || method === 'POST' || method === 'QUERY'))
        return this.#kit.build.list(operation, found, 'search')
    }
    if (isRead) return this.#staticRead(operation, site)
    const bulk = this.#bulk.targetOf(site.steps)
    if (bulk) return this.#bulk.effectOf(operation, bulk)
    const isVerb = isVerbSegment(text) || (kindOfVerb(text.toLowerCase()) !== undefined && !this.#isDocument(site))
    return isVerb ? this.verbEffect(operation, outer, text) : this.#staticWrite(operation, site)
  }

  /** `POST /tasks/{id}/move/{target}`, `GET /users/search/{text}`. */
  belowVerb(operation: Placed, site: Site): Effect {
    const text = lastStatic(site.steps)
    const outer = site.steps.slice(0, -1)
    if (isSearchSegment(text)) {
      const found = this.#searched(operation, text, outer)
      if (found) return this.#kit.build.list(operation, found, 'search')
    }
    return this.verbEffect(operation, outer, text)
  }

  /** Does to the record or the collection around what the last word says. */
  verbEffect(operation: Placed, outer: readonly Step[], text: string): Effect {
    const around = this.#kit.surroundings.around(outer) ?? this.#kit.surroundings.enclosing(outer)
    if (!around) return EXAMPLE
    const kind = kindOfVerb(wordsOf(text)[0] ?? '')
    const isMany = bodyEnvelope(operation.draft, around.collection)?.shape === 'list'
    if (!around.isRecord && kind === 'create' && isMany)
      return this.#kit.build.many(operation, around.collection, 'bulkCreate')
    return this.#kit.build.action(operation, around.collection, around.steps, text)
  }

  #searched(operation: Placed, text: string, outer: readonly Step[]): CollectionDraft | undefined {
    const item = findList(schemaOfResponse(operation.draft.success), text)?.item
    return this.#kit.surroundings.collectionOf(item) ?? this.#kit.surroundings.around(outer)?.collection
  }

  #staticRead(operation: Placed, site: Site): Effect {
    const { draft } = operation
    const answer = schemaOfResponse(draft.success)
    if (isDownload(draft.success)) return EXAMPLE
    if (!answer) return site.own.size > 1 ? this.#kit.build.singleton(operation, site, 'singletonRead') : EXAMPLE
    const around = this.#kit.surroundings.around(site.steps.slice(0, -1))
    if (around?.isRecord && isRecordOf(recordEnvelope(draft, around.collection), around.collection)) {
      return this.#kit.build.one(operation, around.collection, 'read')
    }
    const isObject = isObjectSchema(answer) || answer.types.includes('object')
    return isObject ? this.#kit.build.singleton(operation, site, 'singletonRead') : EXAMPLE
  }

  #staticWrite(operation: Placed, site: Site): Effect {
    const { method } = operation.draft
    const around = this.#kit.surroundings.around(site.steps.slice(0, -1))
    // `PUT /pods/{name}/status` that answers with the pod.
    const isPut = method === 'PUT' || method === 'PATCH'
    if (
      isPut &&
      around?.isRecord &&
      isRecordOf(recordEnvelope(operation.draft, around.collection), around.collection)
    ) {
      return this.#kit.build.one(operation, around.collection, 'update')
    }
    const isDocument = this.#isDocument(site)
    if (method === 'PUT' && (isDocument || !around))
      return this.#kit.build.singleton(operation, site, 'singletonReplace')
    if (method === 'PATCH' && (isDocument || !around))
      return this.#kit.build.singleton(operation, site, 'singletonUpdate')
    if (method === 'DELETE' && isDocument) return this.#kit.build.singleton(operation, site, 'singletonDelete')
    if (method === 'POST' && isDocument && verbOf(operation.draft)?.kind !== 'action') {
      return this.#kit.build.singleton(operation, site, 'singletonUpdate')
    }
    if (!around) return this.#shownUpdate(operation)
    if (!around.isRecord && method === 'DELETE') return this.#kit.build.many(operation, around.collection, 'bulkDelete')
    return this.#kit.build.action(operation, around.collection, around.steps, lastStatic(site.steps))
  }

  /** `POST /login?flow=...`, called updateLoginFlow, that answers with a flow: changes the flow that the query names. */
  #shownUpdate(operation: Placed): Effect {
    const { draft } = operation
    const shown = findRecord(schemaOfResponse(draft.success), { nouns: [], keys: [] }).schema
    const collection = this.#kit.surroundings.collectionOf(shown)
    if (!collection || verbOf(draft)?.kind !== 'update' || !this.#kit.addressing.keyInRequest(operation, collection))
      return EXAMPLE
    return this.#kit.build.one(operation, collection, 'update')
  }

  /** Whether a path that is no collection holds one document, which its operations read or write. */
  #isDocument(site: Site): boolean {
    const get = site.own.get('GET')
    if (!get) return site.own.has('PUT') || site.own.has('PATCH')
    return !findList(schemaOfResponse(get.draft.success), lastStatic(site.steps)) && !isDownload(get.draft.success)
  }
}
