import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { patternTest } from '../../../schema/pattern-test.ts'
import type { Assertions, Schema } from '../../../schema/schema.ts'
import type { SchemaSource } from './schema-source.ts'

/** The rules of `unevaluatedProperties` and `unevaluatedItems`: which keywords evaluate names or places themselves. */
const KINDS = [
  { keyword: 'unevaluatedProperties', fits: isJsonObject, evaluate: evaluateProperties },
  {
    keyword: 'unevaluatedItems',
    fits: (value: Json): value is Json[] => Array.isArray(value),
    evaluate: evaluateItems,
  },
] as const

type Kind = (typeof KINDS)[number]
type Fits = (schema: Schema, value: Json) => boolean

/** Names of properties, or places of items. */
type Names = Set<string>

/** What the parts say about names and places that no keyword beside them or below them evaluates. */
export function unevaluatedOf(source: SchemaSource, parts: readonly JsonObject[]): Assertions['unevaluated'] {
  return parts.flatMap((part) =>
    KINDS.filter(({ keyword }) => part[keyword] !== undefined && part[keyword] !== true).map((kind) => ({
      of: kind.keyword,
      schema: isJsonObject(part[kind.keyword]) ? source.read(part[kind.keyword]) : undefined,
      namesIn: (value: Json, fits: Fits) => {
        if (!kind.fits(value)) return []
        const { [kind.keyword]: _, ...beside } = part
        const evaluated: Names = new Set()
        addEvaluated({ source, kind, value, fits, evaluated, seen: new Set() }, beside)
        return Object.keys(value).filter((name) => !evaluated.has(name))
      },
    })),
  )
}

interface Evaluation {
  readonly source: SchemaSource
  readonly kind: Kind
  readonly value: Json
  readonly fits: Fits
  readonly evaluated: Names
  readonly seen: Set<JsonObject>
}

/** Adds what a schema evaluates, with all schemas that apply to the same value. */
function addEvaluated(of: Evaluation, written: Json | undefined): void {
  if (!isJsonObject(written) || of.seen.has(written)) return
  of.seen.add(written)
  const { source, value } = of
  const fitting = (one: Json | undefined) => {
    const schema = source.read(one)
    return schema !== undefined && of.fits(schema, value)
  }
  const { allOf, anyOf, oneOf, if: condition, dependentSchemas } = written
  of.kind.evaluate(of, written)
  if (typeof written.$ref === 'string') addEvaluated(of, source.references.follow(written.$ref).value)
  for (const one of listOf(allOf)) addEvaluated(of, one)
  for (const one of [...listOf(anyOf), ...listOf(oneOf)]) if (fitting(one)) addEvaluated(of, one)
  if (condition !== undefined && fitting(condition)) {
    addEvaluated(of, condition)
    addEvaluated(of, written.then)
  } else if (condition !== undefined) addEvaluated(of, written.else)
  for (const [name, one] of Object.entries(Object(dependentSchemas) as JsonObject))
    if (Object.hasOwn(Object(value), name)) addEvaluated(of, one)
}

function evaluateProperties({ value, evaluated }: Evaluation, written: JsonObject): void {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = written
  const isAll = additionalProperties !== undefined || unevaluatedProperties !== undefined
  const patterns = Object.keys(Object(patternProperties)).map(patternTest)
  for (const name of Object.keys(Object(value)))
    if (isAll || Object.hasOwn(Object(properties), name) || patterns.some((matches) => matches?.(name)))
      evaluated.add(name)
}

function evaluateItems({ source, value, fits, evaluated }: Evaluation, written: JsonObject): void {
  const { prefixItems, items, contains, unevaluatedItems } = written
  const isAll = items !== undefined || unevaluatedItems !== undefined
  const counted = source.read(contains)
  for (const [at, item] of listOf(value).entries())
    if (isAll || at < listOf(prefixItems).length || (counted && fits(counted, item))) evaluated.add(String(at))
}

const listOf = (written: Json | undefined): readonly Json[] => (Array.isArray(written) ? written : [])
