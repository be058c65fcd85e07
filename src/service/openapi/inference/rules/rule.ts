import type { Schema } from '../../../../schema/schema.ts'
import type { Confidence, Effect } from '../../model.ts'
import type { SettingFinder } from '../actions/setting-rules.ts'
import { schemaOfResponse } from '../bodies/bodies.ts'
import type { Addressing } from '../collections/addressing.ts'
import type { Around, Catalogue } from '../collections/catalogue.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import type { EffectBuilder } from '../effects/effect-builder.ts'
import { keyOfSteps, lastStatic, type Step } from '../paths/path-shape.ts'
import type { PathSite, Placed } from '../paths/sites.ts'

/** One way to find the effect of an operation. */
export interface Rule {
  /** Unique, and shown to users: `item-read`. */
  readonly name: string
  /** An operation that the rule decides. */
  readonly example: string
  readonly confidence: Confidence
  /** Whether the rule only guesses here. */
  readonly isGuess?: (operation: Case, survey: Survey, effect: Effect) => boolean
  /** The effect; undefined where the rule does not apply. */
  readonly find: (operation: Case, survey: Survey) => Effect | undefined
}

/** What is known of a description before the effects of its operations. */
export interface Survey {
  readonly catalogue: Catalogue
  readonly addressing: Addressing
  readonly build: EffectBuilder
  readonly settings: SettingFinder
}

/** An operation, and what its path leads to. */
export interface Case extends Placed {
  /**
   * `item`: a record of a collection, `/tasks/{id}`. `collection`: `/tasks`. `below`: a parameter after another word,
   * `/tasks/{id}/move/{target}`. `word`: any other word, `/tasks/{id}/close`. `verb`: a verb after a colon.
   */
  readonly place: 'item' | 'collection' | 'below' | 'word' | 'verb'
  readonly site: PathSite | undefined
  /** The collection at the site. */
  readonly collection: CollectionDraft | undefined
  /** The last word of the path, or the verb after a colon. */
  readonly word: string
  /** The path before that word. */
  readonly outer: readonly Step[]
  /** The record or the collection before that word. */
  readonly around: Around | undefined
  /** The call that the path contains: `/users.list`. */
  readonly call: ReturnType<Catalogue['callOf']>
  readonly isRead: boolean
  readonly answer: Schema | undefined
}

/** The effect of unknown operations. */
export const EXAMPLE: Effect = { kind: 'example' }

/** An operation, and what its path leads to. */
export function toCase(operation: Placed, { catalogue }: Survey): Case {
  const { draft, shape } = operation
  const site = shape.verb === undefined ? catalogue.sites.get(keyOfSteps(shape.base)) : undefined
  const collection = site && catalogue.shownAt(site.steps)
  const isItem = shape.trailing.length > 0
  const outer = site ? site.steps.slice(0, -1) : shape.steps
  return {
    ...operation,
    place: !site ? 'verb' : collection ? (isItem ? 'item' : 'collection') : isItem ? 'below' : 'word',
    site,
    collection,
    word: shape.verb ?? lastStatic(shape.base),
    outer,
    around: catalogue.around(outer),
    call: catalogue.callOf(operation),
    isRead: draft.method === 'GET' || draft.method === 'HEAD',
    answer: schemaOfResponse(draft.success),
  }
}
