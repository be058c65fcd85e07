import { singularName } from '../../names/nouns.ts'
import { snakeCase } from '../../names/words.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { onceFor } from '../../runtime/once.ts'
import { fraction, hashText, mixPair } from '../../runtime/random.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { ApiModel } from '../openapi/model.ts'
import { Cell, type Frame, type Maker } from './cell.ts'
import type { AnswerExamples, CreationContext, Dataset, DatasetOptions, ExampleHint, NewRecord } from './dataset.ts'
import { MakerStock } from './maker-stock.ts'
import { compilePresent } from './makers/compile.ts'
import { DAY_MS, floorToSecond } from './moment.ts'
import { ShownRecords, shownDocument } from './shown-example.ts'
import { NO_SURROUNDINGS, rootSite, type Site, type Surroundings } from './site.ts'
import { embeddedMaker } from './tables/embedded-records.ts'
import { GeneratedTables } from './tables/generated-tables.ts'
import { OutlineIndex } from './tables/table-outline.ts'
import { defaultVolumes } from './tables/volumes.ts'
import { subjectFrom } from './words/person.ts'
import { Work } from './work.ts'

/** The data of one simulation. Costs nothing at any volume: values are computed on demand. */
export function createDataset(model: ApiModel, options: DatasetOptions): Dataset {
  return new GeneratedDataset(model, options)
}

class GeneratedDataset implements Dataset {
  readonly tables: Dataset['tables']
  readonly #tables: GeneratedTables
  readonly #volumeOf: (collection: string) => number
  readonly #model: ApiModel
  readonly #seedRecords: DatasetOptions['seedRecords']
  readonly #examples: boolean | undefined
  readonly #seed: number
  readonly #now: number
  readonly #surroundings: Surroundings
  readonly #stock = new MakerStock()
  readonly #makers = new Map<Schema, Map<string, Maker>>()
  readonly #singletonMakers = new Map<string, Maker>()

  constructor(model: ApiModel, options: DatasetOptions) {
    this.#model = model
    this.#seed = hashText(options.seed)
    this.#now = floorToSecond(options.epoch)
    const { seed, epoch, volume, seedRecords, hints = {}, examples } = options
    const usual = defaultVolumes(model)
    this.#volumeOf = (name) => ownValue(volume, name) ?? usual.get(name) ?? 0
    const shown = examples === true ? new ShownRecords(model) : undefined
    const outlines = new OutlineIndex({ model, seed, epoch, volumeOf: this.#volumeOf, seedRecords, shown })
    this.#tables = new GeneratedTables(model, outlines, hints, this.#stock)
    this.tables = this.#tables
    this.#surroundings = {
      ...NO_SURROUNDINGS,
      embedded: (site) => embeddedMaker(site, this.#tables.collections),
    }
    this.#seedRecords = seedRecords
    this.#examples = examples
    this.#stock.whenFull(() => {
      this.#makers.clear()
      this.#singletonMakers.clear()
    })
  }

  wanted(collection: string): number {
    return this.#volumeOf(collection) + (ownValue(this.#seedRecords, collection)?.length ?? 0)
  }

  singleton(name: string, scopeKey: string): JsonObject {
    const singleton = this.#model.singletons.find((candidate) => candidate.name === name)
    if (!singleton?.schema) return {}
    const { schema, singular } = singleton
    const make = onceFor(this.#singletonMakers, name, (): Maker => {
      const shown = this.#examples === false ? { fields: {} } : shownDocument(this.#model, name, schema)
      const { whole, fields } = shown
      const own = compilePresent(rootSite(schema, singular, this.#surroundings, this.#stock))
      return whole ? () => whole : (cell) => ({ ...Object(own(cell)), ...fields })
    })
    const record = make(this.#cellFor(mixPair(hashText(name), hashText(scopeKey))))
    return isJsonObject(record) ? record : {}
  }

  complete(collection: string, given: JsonObject, context: CreationContext): NewRecord | undefined {
    return this.#tables.open(collection).complete(given, context)
  }

  example(schema: Schema | undefined, key: string, hint?: ExampleHint): Json {
    return this.#example(schema, key, hint, new Work())
  }

  answerExamples(): AnswerExamples {
    const work = new Work()
    return {
      get isSpent() {
        return work.isSpent
      },
      example: (schema, key, hint) => this.#example(schema, key, hint, work),
    }
  }

  #example(schema: Schema | undefined, key: string, { mode, name = '' }: ExampleHint = {}, work: Work): Json {
    if (!schema) return {}
    work.take(1)
    const cell = this.#cellFor(hashText(key), { isRequest: mode === 'request', work })
    return this.#makerFor(schema, name)(cell) ?? null
  }

  regenerate(collection: string, record: JsonObject, field: FieldPath, key: string): Json | undefined {
    return this.#tables.open(collection).regenerate(record, field, key)
  }

  #makerFor(schema: Schema, name: string): Maker {
    const byName = onceFor(this.#makers, schema, () => new Map<string, Maker>())
    return onceFor(byName, name, () => {
      const owner = singularName(snakeCase(schema.name ?? name)).replace(
        /_(?:response|request|dto|model|schema|object|payload|result|input|output|out|in)$/,
        '',
      )
      const root = rootSite(schema, owner, this.#surroundings, this.#stock)
      const site: Site =
        name === '' ? root : { ...root, name, snake: snakeCase(name), path: undefined, key: hashText(name) }
      return compilePresent(site)
    })
  }

  #cellFor(hash: number, { isRequest = false, work = new Work() } = {}): Cell {
    const seed = mixPair(this.#seed, hash)
    const age = fraction(mixPair(seed, 0x6167))
    const createdAt = floorToSecond(this.#now - (0.1 + age * 200) * DAY_MS)
    const frame: Frame = {
      index: seed % 1_000_003,
      rank: seed % 9_973,
      createdAt,
      subject: subjectFrom(seed),
      now: this.#now,
      age,
      isRequest,
      work,
    }
    return new Cell(frame, seed, undefined, 0, undefined)
  }
}

function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}
