import { foldName } from '../../../names/words.ts'
import { isJsonObject, type Json } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { Projector } from './project.ts'

/** The value of a field next to the records of an envelope; undefined without one. */
export type Fill = (field: LevelField, level: Level) => Json | undefined

/** One object between the top of a body and its records. */
export interface Level {
  /** Name of the field with the records or the next object. */
  readonly next: string
  /** Names of fields from the top of the body to this object. */
  readonly path: FieldPath
  readonly fields: readonly LevelField[]
}

/** A field next to the records, or of an object around them. */
export interface LevelField {
  readonly name: string
  readonly schema: Schema | undefined
  readonly isRequired: boolean
}

/** A level with its text. */
interface WrittenLevel extends Level {
  /** The text before the value of each field, and of the next level: `"total":`. */
  readonly labels: readonly string[]
  readonly nextLabel: string
}

/** Writes the JSON text around a body's records. Made once per operation and simulation. */
export class EnvelopeWriter {
  /** Innermost first. */
  readonly #levels: readonly WrittenLevel[]
  readonly #projector: Projector
  readonly #key: string

  constructor(options: { schema: Schema | undefined; path: FieldPath; projector: Projector; key: string }) {
    this.#levels = toLevels(options.schema, options.path).reverse()
    this.#projector = options.projector
    this.#key = options.key
  }

  /** The text before and after the records. */
  around(fill?: Fill): readonly [front: string, back: string] {
    let front = ''
    let back = ''
    for (const level of this.#levels) {
      const [before, after] = this.#aroundLevel(level, fill)
      front = before + front
      back += after
    }
    return [front, back]
  }

  #aroundLevel(level: WrittenLevel, fill: Fill | undefined): readonly [before: string, after: string] {
    const { fields, labels, next, nextLabel } = level
    let before: string | undefined
    let text = ''
    let mark = '{'
    for (const [at, field] of fields.entries()) {
      const isNext = field.name === next
      const value = isNext ? undefined : this.#say(field, level, fill)
      if (!isNext && value === undefined) continue
      text += mark + labels[at]
      mark = ','
      if (isNext) {
        before = text
        text = ''
      } else text += JSON.stringify(value)
    }
    return before === undefined ? [text + mark + nextLabel, '}'] : [before, `${text}}`]
  }

  /** The value of a field; undefined where it is omitted. */
  #say(field: LevelField, level: Level, fill: Fill | undefined): Json | undefined {
    const { name, schema, isRequired } = field
    const filled = fill?.(field, level)
    const value = filled === undefined ? plainWord(name, schema) : this.#complete(level, name, schema, filled)
    // An optional field with an empty text is omitted.
    if (value === '' && !isRequired) return undefined
    return value === undefined && isRequired ? this.#generate(level, name, schema) : value
  }

  /** A value about the page, with the further required fields of its object: `_links: { next, documentation }`. */
  #complete({ path }: Level, name: string, schema: Schema | undefined, value: Json): Json {
    if (!isJsonObject(value) || schema === undefined || fits(schema, value)) return value
    return this.#projector.project(value, schema, [this.#key, ...path, name].join('.'), name)
  }

  #generate(level: Level, name: string, schema: Schema | undefined): Json {
    return this.#projector.project(undefined, schema, [this.#key, ...level.path, name].join('.'), name)
  }
}

function toLevels(schema: Schema | undefined, path: FieldPath): WrittenLevel[] {
  const levels: WrittenLevel[] = []
  let at = schema
  for (const [depth, next] of path.entries()) {
    const holder = findHolder(at, next)
    const fields = holder === undefined ? [] : toFields(holder, at)
    const labels = fields.map(({ name }) => toLabel(name))
    levels.push({ next, path: path.slice(0, depth), fields, labels, nextLabel: toLabel(next) })
    at = holder?.properties.get(next)
  }
  return levels
}

const toLabel = (name: string): string => `${JSON.stringify(name)}:`

/** The schema itself or its first alternative with a field of that name. */
function findHolder(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema === undefined || schema.properties.has(name)) return schema
  return schema.variants?.find((variant) => variant.properties.has(name)) ?? schema
}

function toFields(holder: Schema, whole: Schema | undefined): Level['fields'] {
  const properties = new Map<string, Schema | undefined>(whole?.properties)
  for (const [name, field] of holder.properties) properties.set(name, field)
  const required = new Set([...holder.required, ...(whole?.required ?? [])])
  for (const name of required) if (!properties.has(name)) properties.set(name, undefined)
  return [...properties].map(([name, schema]) => ({ name, schema, isRequired: required.has(name) }))
}

/** Usual values of fields in a successful answer, by folded name; the first value that fits is used. */
const WORDS: Readonly<Record<string, readonly Json[]>> = {
  ok: [true, 'ok', 1],
  success: [true, 'true', 1],
  successful: [true],
  succeeded: [true],
  issuccess: [true],
  acknowledged: [true],
  data: [true],
  result: [true],
  deleted: [true],
  error: [null, false, ''],
  errors: [[], null, {}],
  warnings: [[], null],
  warning: [null, ''],
  errormessage: [null, ''],
  errorcode: [null, 0, ''],
  statuscode: [200, '200'],
  httpstatuscode: [200, 'OK', '200'],
  validationerrors: [[]],
}

/** A status next to the records says how the call went: `{ status: 'COMPLETE', results: [...] }`. */
const DONE_NAMES = /^(status|state)$/i
const isDone = (value: Json): boolean =>
  typeof value === 'string' && /^(ok|success(ful)?|succeeded|completed?|done|finished)$/i.test(value)

/** `ok` of a plain text, or what the description says in quotes. A `state` may be that of a country. */
function doneWord(name: string, schema: Schema | undefined): Json | undefined {
  if (schema === undefined || schema.enum) return schema?.enum?.find(isDone)
  const usual = /^status$/i.test(name) ? 'ok' : undefined
  const word = /["'`](ok|success)["'`]/i.exec(schema.description ?? '')?.[1] ?? schema.example ?? usual
  return typeof word === 'string' && schema.types.join() === 'string' && fits(schema, word) ? word : undefined
}

/** The value of a field next to the record in a successful answer; undefined for an unknown name. Constants are always set. */
export function plainWord(name: string, schema: Schema | undefined): Json | undefined {
  if (schema?.enum?.length === 1) return schema.enum[0]
  const words = Object.hasOwn(WORDS, foldName(name)) ? WORDS[foldName(name)] : undefined
  if (words === undefined) return DONE_NAMES.test(name) ? doneWord(name, schema) : undefined
  return schema === undefined ? words[0] : words.find((word) => fits(schema, word))
}
