import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { Assertions, Schema } from '../../../schema/schema.ts'
import { isPresent, lastOf } from './schema-keywords.ts'
import { type Choice, isNever, type SchemaParts } from './schema-parts.ts'
import type { SchemaSource } from './schema-source.ts'
import { unevaluatedOf } from './unevaluated.ts'

const KEYWORDS = [
  ...['not', 'if', 'dependentRequired', 'dependentSchemas', 'dependencies', 'contains', 'patternProperties'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
]

export function assertionsOf(source: SchemaSource, { parts, choices }: SchemaParts): Assertions | undefined {
  const asserting = parts.filter((part) => KEYWORDS.some((keyword) => part[keyword] !== undefined))
  if (asserting.length === 0 && choices.length < 2) return undefined
  const read = (written: unknown): readonly Schema[] => {
    const schema = source.read(written)
    return schema === undefined ? [] : [schema]
  }
  const entries = (keyword: string) => asserting.flatMap((part) => Object.entries(Object(part[keyword] ?? {})))
  const dependencies = [...entries('dependentRequired'), ...entries('dependentSchemas'), ...entries('dependencies')]
  return {
    not: asserting.flatMap((part) => read(part.not)),
    conditions: asserting.flatMap(({ if: condition, ...rest }) =>
      read(condition).map((asked) => ({ asked, ifSo: read(rest.then)[0], ifNot: read(rest.else)[0] })),
    ),
    dependentRequired: dependencies.flatMap(([name, names]) =>
      Array.isArray(names) ? [{ name, requires: names.filter((one) => typeof one === 'string') }] : [],
    ),
    dependentSchemas: dependencies.flatMap(([name, schema]) =>
      Array.isArray(schema) ? [] : read(schema).map((one) => ({ name, schema: one })),
    ),
    contains: asserting.flatMap(({ contains, minContains, maxContains }) =>
      read(contains).map((schema) => ({
        schema,
        item: source.make({ allOf: [...parts.map(({ items }) => items), contains].filter(isJsonObject) }, undefined),
        least: typeof minContains === 'number' ? minContains : 1,
        most: typeof maxContains === 'number' ? maxContains : Number.POSITIVE_INFINITY,
      })),
    ),
    patternProperties: entries('patternProperties').flatMap(([pattern, schema]) =>
      source.unmatched.has(pattern) ? [] : read(schema).map((one) => ({ pattern, schema: one })),
    ),
    choices: choices.length < 2 ? [] : choices.map((choice, at) => choiceAlone(source, choice, at === 0 ? parts : [])),
    unevaluated: unevaluatedOf(source, parts).filter(
      // Where the parts together allow only declared properties, they say so about all of them.
      ({ of }) => of !== 'unevaluatedProperties' || !parts.some((part) => isNever(part.additionalProperties)),
    ),
    with: (more) => source.make({ allOf: [...parts.map(withoutConditions), ...more.map(({ raw }) => raw)] }, undefined),
  }
}

/** A schema that is nothing but this choice, with the discriminator of the parts. */
function choiceAlone(
  source: SchemaSource,
  { rule, alternatives, hasNull, isCut }: Choice,
  parts: readonly JsonObject[],
) {
  if (isCut) return source.make({}, undefined)
  const discriminator = lastOf(parts, 'discriminator', isPresent)
  const all = hasNull ? [...alternatives, { type: 'null' }] : [...alternatives]
  return source.make({ ...(discriminator !== undefined && { discriminator }), [rule]: all }, undefined)
}

/** A part that is known to fulfil its conditions. */
function withoutConditions(part: JsonObject): JsonObject {
  const rest = Object.fromEntries(Object.entries(part).filter(([keyword]) => !FULFILLED.has(keyword)))
  return isJsonObject(rest.dependencies) ? { ...rest, dependencies: undefined as never } : rest
}

const FULFILLED = new Set([
  ...['if', 'then', 'else', 'dependentSchemas', 'allOf', '$ref', 'unevaluatedProperties', 'unevaluatedItems'],
])
