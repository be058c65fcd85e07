import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { Assertions, Schema } from '../../../schema/schema.ts'
import type { SchemaSource } from './schema-source.ts'

const KEYWORDS = ['not', 'if', 'dependentRequired', 'dependentSchemas', 'dependencies', 'contains', 'patternProperties']

/** The assertions of all parts; undefined without any. */
export function assertionsOf(source: SchemaSource, parts: readonly JsonObject[]): Assertions | undefined {
  const asserting = parts.filter((part) => KEYWORDS.some((keyword) => part[keyword] !== undefined))
  if (asserting.length === 0) return undefined
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
    with: (more) => source.make({ allOf: [...parts.map(withoutConditions), ...more.map(({ raw }) => raw)] }, undefined),
  }
}

/** A part that is known to fulfil its conditions. */
function withoutConditions(part: JsonObject): JsonObject {
  const { if: _, then: __, else: ___, dependentSchemas: ____, allOf: _____, $ref: ______, ...rest } = part
  return isJsonObject(rest.dependencies) ? { ...rest, dependencies: undefined as never } : rest
}
