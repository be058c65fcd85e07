import type { Effect } from '../model.ts'
import { isObjectSchema, schemaOfResponse } from './bodies.ts'
import type { CollectionDraft } from './collection-draft.ts'
import { bodyEnvelope } from './envelopes.ts'
import type { Kit } from './kit.ts'
import { keyOfSteps } from './path-shape.ts'
import type { RpcCall } from './rpc.ts'
import { findList } from './shapes.ts'
import type { Placed } from './sites.ts'

const EXAMPLE: Effect = { kind: 'example' }

/** Effects of RPC-like paths: `/users.list`, `/transactions/get`. */
export class RpcEffects {
  readonly #kit: Kit

  constructor(kit: Kit) {
    this.#kit = kit
  }

  effectOf(operation: Placed, { kind, word, site }: RpcCall, collection: CollectionDraft): Effect {
    const { addressing } = this.#kit
    const key = addressing.keyInRequest(operation, collection) ?? addressing.onlyIdInRequest(operation)
    const answer = schemaOfResponse(operation.draft.success)
    switch (kind) {
      case 'list':
      case 'search':
        return this.#kit.build.list(operation, collection, kind)
      case 'create':
        return bodyEnvelope(operation.draft, collection)?.shape === 'list'
          ? this.#kit.build.many(operation, collection, 'bulkCreate')
          : this.#kit.build.create(operation, collection)
      case 'read':
        if (key) return this.#kit.build.one(operation, collection, 'read', { key })
        return findList(answer, collection.noun)
          ? this.#kit.build.list(operation, collection, 'list')
          : this.#document(operation)
      case 'delete':
        if (key) return this.#kit.build.one(operation, collection, 'delete', { key })
        return this.#kit.build.action(operation, collection, site.steps, word)
      case 'update':
      case 'replace':
        if (key) return this.#kit.build.one(operation, collection, kind, { key })
        return this.#kit.build.action(operation, collection, site.steps, word)
      case 'action':
        return this.#kit.build.action(operation, collection, site.steps, word)
    }
  }

  /** A path that stands for a document of its own. */
  #document(operation: Placed): Effect {
    const site = this.#kit.catalogue.sites.get(keyOfSteps(operation.shape.steps))
    return site && isObjectSchema(schemaOfResponse(operation.draft.success))
      ? this.#kit.build.singleton(operation, site, 'singletonRead')
      : EXAMPLE
  }
}
