import type { Addressing } from './addressing.ts'
import type { Catalogue } from './catalogue.ts'
import type { EffectBuilder } from './effect-builder.ts'
import type { Surroundings } from './surroundings.ts'

/** What every part of the search for effects works with. */
export interface Kit {
  readonly catalogue: Catalogue
  readonly addressing: Addressing
  readonly build: EffectBuilder
  readonly surroundings: Surroundings
}
