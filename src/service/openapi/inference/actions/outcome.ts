import type { Schema } from '../../../../schema/schema.ts'
import type { LeftBehind } from '../../model.ts'
import { componentOf, fieldsOf, isObjectSchema, schemaOfResponse } from '../bodies/bodies.ts'
import type { Addressing } from '../collections/addressing.ts'
import type { Catalogue } from '../collections/catalogue.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { recordEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import type { Placed } from '../paths/sites.ts'

/** Verbs whose results are computed and not kept. */
const WORKS_OUT =
  /^(preview|estimate|calculate|recalculate|validate|verify|test|check|simulate|evaluate|render|download|search|find|get|list|show|read|count|query|lookup|diff|compare|login|authenticate)/i

/** Most fields of an answer's parts that are compared with records. */
const MOST_PARTS = 40

/** Finds the records that actions create: the job of a restart, the payment of an order. */
export class OutcomeFinder {
  readonly #catalogue: Catalogue
  readonly #addressing: Addressing
  #byLook: ReadonlyMap<string, readonly CollectionDraft[]> | undefined

  constructor(catalogue: Catalogue, addressing: Addressing) {
    this.#catalogue = catalogue
    this.#addressing = addressing
  }

  /** The record that an action on `acted` creates, by its answer; undefined where the answer has no readable record. */
  madeBy(operation: Placed, acted: CollectionDraft, verb: string): LeftBehind | undefined {
    const { draft, shape } = operation
    if ((draft.method !== 'POST' && draft.method !== 'PUT') || WORKS_OUT.test(verb)) return undefined
    const answer = schemaOfResponse(draft.success)
    if (!isObjectSchema(answer)) return undefined
    const parts = [...fieldsOf(answer).values()]
    // `{ success, data: { file_operation: {...} } }`.
    const deeper = parts.filter(isObjectSchema).flatMap((part) => [...fieldsOf(part).values()])
    for (const shown of [answer, ...parts, ...deeper.slice(0, MOST_PARTS)]) {
      const collection = this.#collectionOf(shown, acted)
      if (!collection || this.#addressing.keyInRequest(operation, collection)) continue
      const envelope = recordEnvelope(draft, collection)
      if (envelope.shape !== 'record' || !isRecordOf(envelope, collection)) continue
      const scope = this.#addressing.scopeOf(shape.steps, collection, { isView: true, isKeyed: false })
      return { collection: collection.name, scope, envelope }
    }
    return undefined
  }

  /** The collection of such records: the one below `acted`, else the first. */
  #collectionOf(schema: Schema | undefined, acted: CollectionDraft): CollectionDraft | undefined {
    const look = lookOf(schema)
    if (look === undefined) return undefined
    this.#byLook ??= Map.groupBy(
      this.#catalogue.collections.filter((collection) => collection.idField && this.#catalogue.isReadable(collection)),
      ({ schema: own }) => lookOf(own) ?? '',
    )
    const alike = this.#byLook.get(look) ?? []
    if (alike.includes(acted)) return undefined
    return alike.find((collection) => this.#catalogue.parentOf(collection)?.collection === acted) ?? alike[0]
  }
}

/** A common feature of schemas for the same records: the component, else the names of their fields. */
function lookOf(schema: Schema | undefined): string | undefined {
  if (!isObjectSchema(schema)) return undefined
  const fields = [...fieldsOf(schema).keys()]
  return componentOf(schema) ?? (fields.length > 3 ? fields.sort().join(' ') : undefined)
}
