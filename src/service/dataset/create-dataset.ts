import { singularName } from '../../names/nouns.ts'
import { snakeCase } from '../../names/words.ts'
import { isJsonObject, type Json, type JsonObject, setOwn } from '../../protocol/json.ts'
import { fraction, hashText, mixPair } from '../../runtime/random.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { ApiModel } from '../openapi/model.ts'
import { Cell, type Frame, type Maker } from './cell.ts'
import { compilePresent } from './compile.ts'
import type { CreationContext, Dataset, DatasetOptions, ExampleHint, NewRecord, Table } from './dataset.ts'
import { GeneratedTable } from './generated-table.ts'
import { DAY_MS, floorToSecond } from './moment.ts'
import { subjectFrom } from './person.ts'
import type { OtherRecords } from './record-fields.ts'
import { References } from './references.ts'
import { rootSite, type Site, type Surroundings } from './site.ts'
import { createSurroundings } from './surroundings.ts'
import { OutlineIndex, TableOutline } from './table-outline.ts'
import { defaultVolumes, Levels } from './volumes.ts'

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
  readonly #makers = new Map<Schema, Map<string, Maker>>()
  readonly #singletonMakers = new Map<string, Maker>()

  constructor(model: ApiModel, options: DatasetOptions) {
    this.#model = model
    this.#seed = hashText(options.seed)
    this.#now = floorToSecond(options.epoch)
    const outlines = new OutlineIndex()
    const references = new References(outlines)
    const records: OtherRecords = {
      makerOf: (table, schema) => this.#table(table.model.name).makerOf(schema),
      valueAt: (table, index, field) => this.#table(table.model.name).valueAt(index, field),
    }
    const levels = new Levels(model)
    const volumes = defaultVolumes(model)
    for (const collection of model.collections) {
      const { name } = collection
      const outline = new TableOutline({
        model: collection,
        schema: recordSchema(collection.schema ?? collection.listSchema),
        seed: options.seed,
        epoch: options.epoch,
        volume: ownValue(options.volume, name) ?? volumes.get(name) ?? 0,
        seedRecords: ownValue(options.seedRecords, name) ?? [],
        levels,
        outlines,
      })
      const hints = (options.hints && ownValue(options.hints, name)) ?? {}
      outlines.add(outline)
      this.#tables.set(name, new GeneratedTable({ table: outline, outlines, references, records, hints }))
    }
    this.tables = this.#tables
    this.#surroundings = createSurroundings({ outlines, references, records })
  }

  singleton(name: string, scopeKey: string): JsonObject {
    const singleton = this.#model.singletons.find((candidate) => candidate.name === name)
    if (!singleton) return {}
    const schema = singleton.schema
    if (!schema) return {}
    let make = this.#singletonMakers.get(name)
    if (!make) {
      make = compilePresent(rootSite(schema, singleton.singular, this.#surroundings))
      this.#singletonMakers.set(name, make)
    }
    const record = make(this.#cellFor(mixPair(hashText(name), hashText(scopeKey)), false))
    return this.#withParent(isJsonObject(record) ? record : {}, singleton.parent, scopeKey)
  }

  complete(collection: string, given: JsonObject, context: CreationContext): NewRecord | undefined {
    return this.#table(collection).complete(given, context)
  }

  example(schema: Schema | undefined, key: string, hint: ExampleHint = {}): Json {
    if (!schema) return {}
    const cell = this.#cellFor(hashText(key), hint.mode === 'request')
    return this.#makerFor(schema, hint.name ?? '')(cell) ?? null
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
      const root = rootSite(schema, owner, this.#surroundings)
      const site: Site =
        name === '' ? root : { ...root, name, snake: snakeCase(name), path: undefined, key: hashText(name) }
      make = compilePresent(site)
      byName.set(name, make)
    }
    return make
  }

  #cellFor(hash: number, isRequest: boolean): Cell {
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
    }
    return new Cell(frame, seed, undefined, 0, undefined)
  }

  /** The document with its parent's id where it repeats it. */
  #withParent(
    record: JsonObject,
    parent: { collection: string; field: FieldPath | undefined } | undefined,
    scopeKey: string,
  ): JsonObject {
    const name = parent?.field?.length === 1 ? parent.field[0] : undefined
    const table = parent && this.#tables.get(parent.collection)
    const index = table?.indexOf(scopeKey)
    if (name === undefined || !table || index === undefined || !Object.hasOwn(record, name)) return record
    const id = table.outline.keys.at(index)
    const copy = { ...record }
    setOwn(copy, name, typeof record[name] === 'string' ? String(id) : id)
    return copy
  }
}

function recordSchema(schema: Schema | undefined): Schema {
  const isObject =
    schema &&
    (schema.properties.size > 0 || schema.variants || schema.types.length === 0 || schema.types.includes('object'))
  if (!schema || !isObject) return PLAIN_RECORD
  const isEmpty = schema.properties.size === 0 && !schema.variants && typeof schema.additionalProperties !== 'object'
  return isEmpty && schema.additionalProperties !== false ? PLAIN_RECORD : schema
}

function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

const NOTHING = {
  name: undefined,
  raw: {},
  types: [],
  nullable: false,
  nullableByLetter: false,
  enum: undefined,
  format: undefined,
  pattern: undefined,
  minLength: undefined,
  maxLength: undefined,
  minimum: undefined,
  maximum: undefined,
  exclusiveMinimum: undefined,
  exclusiveMaximum: undefined,
  multipleOf: undefined,
  properties: new Map<string, Schema>(),
  required: new Set<string>(),
  additionalProperties: true,
  minProperties: undefined,
  maxProperties: undefined,
  items: undefined,
  minItems: undefined,
  maxItems: undefined,
  uniqueItems: false,
  variants: undefined,
  variantRule: 'anyOf',
  discriminator: undefined,
  readOnly: false,
  writeOnly: false,
  example: undefined,
  default: undefined,
  title: undefined,
  description: undefined,
} as const satisfies Schema

const TEXT: Schema = { ...NOTHING, types: ['string'] }
const MOMENT: Schema = { ...NOTHING, types: ['string'], format: 'date-time' }

/** What records of a collection look like whose description gives no schema. */
const PLAIN_RECORD: Schema = {
  ...NOTHING,
  types: ['object'],
  properties: new Map([
    ['id', TEXT],
    ['name', TEXT],
    ['created_at', MOMENT],
    ['updated_at', MOMENT],
  ]),
}
