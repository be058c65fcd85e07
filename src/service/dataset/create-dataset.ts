import { singularName } from '../../names/nouns.ts'
import { snakeCase } from '../../names/words.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { fraction, hashText, mixPair } from '../../runtime/random.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { ApiModel } from '../openapi/model.ts'
import { Cell, type Frame, type Maker } from './cell.ts'
import { compilePresent } from './compile.ts'
import type {
  AnswerExamples,
  CreationContext,
  Dataset,
  DatasetOptions,
  ExampleHint,
  NewRecord,
  Table,
} from './dataset.ts'
import { type Collections, embeddedMaker } from './embedded-records.ts'
import { GeneratedTable } from './generated-table.ts'
import { MakerStock } from './maker-stock.ts'
import { DAY_MS, floorToSecond } from './moment.ts'
import { subjectFrom } from './person.ts'
import { References } from './references.ts'
import { NO_SURROUNDINGS, rootSite, type Site, type Surroundings } from './site.ts'
import { OutlineIndex, TableOutline } from './table-outline.ts'
import { defaultVolumes, Levels } from './volumes.ts'
import { Work } from './work.ts'

/** The data of one simulation. Costs nothing whatever the volume: values are computed when they are looked at. */
export function createDataset(model: ApiModel, options: DatasetOptions): Dataset {
  return new GeneratedDataset(model, options)
}

class GeneratedDataset implements Dataset {
  readonly tables: ReadonlyMap<string, Table>
  readonly #tables = new Map<string, GeneratedTable>()
  readonly #model: ApiModel
  readonly #seed: number
  readonly #now: number
  readonly #surroundings: Surroundings
  readonly #stock = new MakerStock()
  #generation = 0
  readonly #makers = new Map<Schema, Map<string, Maker>>()
  readonly #singletonMakers = new Map<string, Maker>()

  constructor(model: ApiModel, options: DatasetOptions) {
    this.#model = model
    this.#seed = hashText(options.seed)
    this.#now = floorToSecond(options.epoch)
    const outlines = new OutlineIndex()
    const collections: Collections = {
      stock: this.#stock,
      outlines,
      references: new References(outlines),
      records: {
        makerOf: (table, schema) => this.#table(table.model.name).makerOf(schema),
        valueAt: (table, index, field) => this.#table(table.model.name).valueAt(index, field),
      },
    }
    const levels = new Levels(model)
    const volumes = defaultVolumes(model)
    for (const collection of model.collections) {
      const { name } = collection
      const schema = collection.schema ?? collection.listSchema
      const outline = new TableOutline({
        model: collection,
        schema: schema && describesRecord(schema) ? schema : model.plainRecord,
        seed: options.seed,
        epoch: options.epoch,
        volume: ownValue(options.volume, name) ?? volumes.get(name) ?? 0,
        seedRecords: ownValue(options.seedRecords, name) ?? [],
        levels,
        outlines,
      })
      const hints = (options.hints && ownValue(options.hints, name)) ?? {}
      outlines.add(outline)
      this.#tables.set(name, new GeneratedTable({ ...collections, table: outline, hints }))
    }
    this.tables = this.#tables
    this.#surroundings = { ...NO_SURROUNDINGS, embedded: (site) => embeddedMaker(site, collections) }
  }

  singleton(name: string, scopeKey: string): JsonObject {
    const singleton = this.#model.singletons.find((candidate) => candidate.name === name)
    if (!singleton?.schema) return {}
    this.#dropMakers()
    let make = this.#singletonMakers.get(name)
    if (!make) {
      make = compilePresent(rootSite(singleton.schema, singleton.singular, this.#surroundings, this.#stock))
      this.#singletonMakers.set(name, make)
    }
    const record = make(this.#cellFor(mixPair(hashText(name), hashText(scopeKey))))
    return isJsonObject(record) ? record : {}
  }

  complete(collection: string, given: JsonObject, context: CreationContext): NewRecord | undefined {
    return this.#table(collection).complete(given, context)
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
    return this.#table(collection).regenerate(record, field, key)
  }

  #table(collection: string): GeneratedTable {
    const table = this.#tables.get(collection)
    if (!table)
      throw new RangeError(`Expected \`collection\` to be one of the model's collections, got "${collection}".`)
    return table
  }

  #makerFor(schema: Schema, name: string): Maker {
    this.#dropMakers()
    let byName = this.#makers.get(schema)
    if (!byName) {
      byName = new Map()
      this.#makers.set(schema, byName)
    }
    let make = byName.get(name)
    if (!make) {
      const owner = singularName(snakeCase(schema.name ?? name)).replace(
        /_(?:response|request|dto|model|schema|object|payload|result|input|output|out|in)$/,
        '',
      )
      const root = rootSite(schema, owner, this.#surroundings, this.#stock)
      const site: Site =
        name === '' ? root : { ...root, name, snake: snakeCase(name), path: undefined, key: hashText(name) }
      make = compilePresent(site)
      byName.set(name, make)
    }
    return make
  }

  /** Drops what was compiled before the stock was full. */
  #dropMakers(): void {
    if (this.#generation === this.#stock.generation) return
    this.#generation = this.#stock.generation
    this.#makers.clear()
    this.#singletonMakers.clear()
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
      isNew: false,
      isRequest,
      work,
    }
    return new Cell(frame, seed, undefined, 0, undefined)
  }
}

/** Whether a schema says what fields records have. */
function describesRecord(schema: Schema): boolean {
  const { properties, variants, types, additionalProperties } = schema
  if (properties.size > 0 || variants) return true
  return (types.length === 0 || types.includes('object')) && additionalProperties !== true
}

function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}
