import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { onceFor } from '../../../runtime/once.ts'
import { mixPair } from '../../../runtime/random.ts'
import { fits } from '../../../schema/checker.ts'
import { generateFromPattern } from '../../../schema/generate-pattern.ts'
import { parsePattern } from '../../../schema/parse-pattern.ts'
import type { Assertions, Schema } from '../../../schema/schema.ts'
import { type Cell, drawAt, type Maker } from '../cell.ts'
import { propertySite, type Site } from '../site.ts'

/** Most values tried for one that fulfils all assertions. */
const TRIES = 8

/** Values that fulfil the assertions of a schema: completed where one says what is missing, else other values. */
export function makeAsserted(site: Site, assertions: Assertions, make: Maker, compile: (site: Site) => Maker): Maker {
  const makers = new Map<Schema, Maker>()
  const makerOf = (of: Schema, at: Site = site): Maker =>
    onceFor(makers, of, (schema) => {
      site.stock.add()
      return compile({ ...at, schema })
    })
  const wholes = new Map<string, Schema>()
  const completed = (value: Json, cell: Cell): Json => {
    const branches = branchesFor(assertions, value)
    const missing = branches.filter((branch) => !fits(branch, value, cell.frame.work.checks))
    if (missing.length > 0) {
      const key = missing.map((branch) => JSON.stringify(branch.raw)).join()
      return makerOf(onceFor(wholes, key, () => assertions.with(missing)))(cell) ?? value
    }
    if (Array.isArray(value)) return withContained(value, cell)
    return isJsonObject(value) ? withNamed(withRequired(value, cell), cell) : value
  }
  return (cell) => {
    let first: Json | undefined
    for (let attempt = 0; attempt < TRIES && !cell.frame.work.isSpent; attempt++) {
      const at = attempt === 0 ? cell : cell.reseeded(mixPair(cell.seed, attempt))
      const value = make(at)
      const asserted = value === undefined ? undefined : completed(value, at)
      if (asserted !== undefined && fits(site.schema, asserted, cell.frame.work.checks)) return asserted
      first ??= asserted
    }
    return site.required ? first : undefined
  }

  function withContained(items: readonly Json[], cell: Cell): Json[] {
    const all = [...items]
    for (const { schema, item: counted, least } of assertions.contains) {
      let count = all.filter((item) => fits(schema, item)).length
      for (let at = 0; count < Math.min(least, 100); at++) {
        const item = makerOf(counted, { ...site, path: undefined, inList: true })(
          cell.item(site.name, { seed: drawAt(cell, site.key), at }, undefined),
        )
        all[site.schema.maxItems === undefined || all.length < site.schema.maxItems ? all.length : count] = item ?? null
        count++
      }
    }
    return all
  }

  function withRequired(value: JsonObject, cell: Cell): JsonObject {
    const whole: JsonObject = { ...value }
    for (const { name, requires } of assertions.dependentRequired) {
      for (const missing of Object.hasOwn(whole, name) ? requires : []) {
        if (Object.hasOwn(whole, missing)) continue
        const schema = site.schema.properties.get(missing)
        const made = schema && compile({ ...propertySite(site, missing, schema, new Map()), required: true })(cell)
        whole[missing] = made ?? missing
      }
    }
    return whole
  }

  /** An object of names that match a pattern has one of them. */
  function withNamed(value: JsonObject, cell: Cell): JsonObject {
    const [only] = assertions.patternProperties
    if (only === undefined || cell.given !== undefined || Object.keys(value).length > 0) return value
    const pattern = parsePattern(only.pattern)
    const name = pattern === undefined ? '' : generateFromPattern(pattern, drawAt(cell, site.key), 6)
    const made = makerOf(only.schema, { ...propertySite(site, name, only.schema, new Map()), path: undefined })(cell)
    return name === '' || made === undefined ? value : { [name]: made }
  }
}

/** The schemas that a value must fit, by its conditions. */
function branchesFor({ conditions, dependentSchemas }: Assertions, value: Json): Schema[] {
  return [
    ...conditions.flatMap(({ asked, ifSo, ifNot }) => (fits(asked, value) ? ifSo : ifNot) ?? []),
    ...dependentSchemas.flatMap(({ name, schema }) =>
      isJsonObject(value) && Object.hasOwn(value, name) ? schema : [],
    ),
  ]
}
