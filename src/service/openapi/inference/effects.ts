import type { Effect, SecurityScheme } from '../model.ts'
import { fieldsOf, schemaOfResponse } from './bodies.ts'
import { CollectionEffects } from './collection-effects.ts'
import { ItemEffects } from './item-effects.ts'
import type { Kit } from './kit.ts'
import { keyOfSteps, lastStatic } from './path-shape.ts'
import { RpcEffects } from './rpc-effects.ts'
import type { Placed } from './sites.ts'
import { StaticEffects } from './static-effects.ts'

const EXAMPLE: Effect = { kind: 'example' }

/** Tells what each operation does to the data. */
export class EffectFinder {
  readonly #kit: Kit
  readonly #items: ItemEffects
  readonly #wholes: CollectionEffects
  readonly #statics: StaticEffects
  readonly #calls: RpcEffects
  readonly #tokenPaths: readonly string[]

  constructor(kit: Kit, schemes: Iterable<SecurityScheme>) {
    this.#kit = kit
    this.#items = new ItemEffects(kit)
    this.#wholes = new CollectionEffects(kit)
    this.#statics = new StaticEffects(kit)
    this.#calls = new RpcEffects(kit)
    this.#tokenPaths = [...schemes].flatMap((scheme) => ('tokenPaths' in scheme ? scheme.tokenPaths : []))
  }

  /** What the operation does to the data. */
  effectOf(operation: Placed): Effect {
    const { draft, shape } = operation
    if (draft.method === 'OPTIONS' || draft.method === 'TRACE') return EXAMPLE
    if (this.#isTokenEndpoint(operation)) return { kind: 'token' }
    if (shape.verb !== undefined) return this.#statics.verbEffect(operation, shape.steps, shape.verb)
    const { build, catalogue, surroundings } = this.#kit
    const parent = surroundings.shownParent(operation)
    if (parent) return build.action(operation, parent.collection, parent.steps, lastStatic(shape.steps))
    const rpc = catalogue.callOf(operation)
    return rpc ? this.#calls.effectOf(operation, rpc.call, rpc.collection) : this.#placedEffect(operation)
  }

  #placedEffect(operation: Placed): Effect {
    const site = this.#kit.catalogue.sites.get(keyOfSteps(operation.shape.base))
    if (!site) return EXAMPLE
    const collection = this.#kit.catalogue.shownAt(site.steps)
    const isItem = operation.shape.trailing.length > 0
    if (isItem && collection) return this.#items.effectOf(operation, site, collection)
    if (isItem) return this.#statics.belowVerb(operation, site)
    return collection ? this.#wholes.effectOf(operation, site, collection) : this.#statics.effectOf(operation, site)
  }

  #isTokenEndpoint({ draft }: Placed): boolean {
    if (draft.method !== 'POST') return false
    const fields = fieldsOf(schemaOfResponse(draft.success))
    if (!fields.has('access_token') && fields.size > 0) return false
    const path = draft.path.replace(/\/$/, '')
    if (path !== '' && this.#tokenPaths.some((tokenPath) => tokenPath.endsWith(path))) return true
    return fields.has('access_token') && /oauth2?\/(v\d+\/)?(access_)?token$/.test(path)
  }
}
