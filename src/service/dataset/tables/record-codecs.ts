import type { Json } from '../../../protocol/json.ts'
import { hashText, mixPair } from '../../../runtime/random.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { CollectionModel } from '../../openapi/model.ts'
import { Cell, type Frame, type Maker } from '../cell.ts'
import { chooseCodec, takesAnyUuid } from '../keys/choose-codec.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import { MakerStock } from '../maker-stock.ts'
import { compilePresent } from '../makers/compile.ts'
import { DAY_MS } from '../moment.ts'
import { NO_SURROUNDINGS, rootSite, type Site } from '../site.ts'
import { kindOf } from '../words/person.ts'
import { createTitles } from '../words/phrase.ts'
import { Work } from '../work.ts'

/** Key of the shuffle of people. Name codecs use the same key, so that a user name matches its owner's name. */
export const PEOPLE_KEY = 0x6e61

/** Most keys within the work limit of one record. */
const KEYS_OF_A_BUDGET = 200

/** Input of the codecs of one collection. */
interface RecordCodecsOptions {
  readonly model: CollectionModel
  /** Schema of its records. */
  readonly schema: () => Schema
  readonly volume: number
  /** Derived from the seed and the collection. */
  readonly key: number
  readonly now: number
}

/** Chooses the codecs for a collection's ids and other identifying fields. */
export class RecordCodecs {
  readonly #options: RecordCodecsOptions

  constructor(options: RecordCodecsOptions) {
    this.#options = options
  }

  /** Whether any codec has enough ids for any volume: then choosing can wait. */
  get hasSpace(): boolean {
    const { schema, resource } = this.#options.model.id
    return schema === undefined || resource !== undefined || schema.once(takesAnyUuid)
  }

  chooseIds(): KeyCodec {
    const { model, key, volume } = this.#options
    const { field, schema, clientChosen, resource } = model.id
    return this.#choose(field?.at(-1) ?? '', resource === undefined ? schema : undefined, clientChosen, key, volume)
  }

  /** Values of another field, unique for each of `wanted` records. */
  alternateMaker(path: FieldPath, schema: Schema, wanted: number): Maker {
    const codec = this.#choose(
      path.at(-1) ?? '',
      schema,
      false,
      mixPair(this.#options.key, hashText(path.join('.'))),
      wanted,
    )
    return (cell) => (codec.capacity === 0 ? undefined : codec.at(cell.frame.rank % codec.capacity))
  }

  #choose(name: string, schema: Schema | undefined, chosen: boolean, key: number, wanted: number): KeyCodec {
    return chooseCodec({
      name,
      schema,
      owner: this.#options.model.singular,
      chosen,
      wanted,
      key,
      peopleKey: this.#options.key,
      titles: this.#titles(),
      fallback: this.#fallbackKeys(name, schema),
    })
  }

  /** The titles of records, for matching slugs. */
  #titles(): ((number: number) => string) | undefined {
    const { id, singular } = this.#options.model
    if (kindOf(singular) !== 'thing') return undefined
    for (const name of ['title', 'name', 'headline']) {
      const schema = this.#options.schema().properties.get(name)
      const isOurs = schema?.types[0] === 'string' && !schema.enum && !Array.isArray(schema.raw.examples)
      if (isOurs && schema !== id.schema) return createTitles(singular, hashText(name))
    }
    return undefined
  }

  /** Keys generated like any other field, for schemas without a codec. As many as one record costs share its work limit. */
  #fallbackKeys(name: string, schema: Schema | undefined): (attempt: number) => Json {
    if (!schema) return (attempt) => String(attempt + 1)
    const { model, now, key } = this.#options
    const site: Site = {
      ...rootSite(schema, model.singular, NO_SURROUNDINGS, new MakerStock()),
      name,
      snake: name,
      path: undefined,
    }
    let make: Maker | undefined
    let work = new Work()
    return (attempt) => {
      make ??= compilePresent(site)
      if (attempt % KEYS_OF_A_BUDGET === 0) work = new Work()
      const frame: Frame = {
        index: attempt,
        rank: attempt,
        createdAt: now - DAY_MS,
        subject: attempt,
        now,
        age: 0.5,
        work,
      }
      return make(new Cell(frame, mixPair(key, attempt), undefined, 0, undefined)) ?? String(attempt + 1)
    }
  }
}
