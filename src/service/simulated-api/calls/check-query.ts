import { misspeltFor } from '../../../names/nearest-name.ts'
import type { IgnoredRow } from '../../../protocol/entry-rows.ts'
import { getOwn, isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { ValidationMode } from '../../../protocol/simulation.ts'
import type { ApiModel, Operation, Parameter } from '../../openapi/model.ts'
import type { World } from '../../world/world.ts'
import { takesFields } from '../body/parameter-styles.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import { isFlag } from '../listing/comparison.ts'
import { isGivenCursor, isToken, paramValue, readCursor } from '../listing/page.ts'
import { Refusal } from '../refusal.ts'
import type { ApiCall } from './call.ts'
import { statusFor } from './validate-request.ts'

/**
 * Refuses a query for which the entry has an error: an undeclared parameter, a cursor without a record. Refuses or warns
 * of a cursor that no page has given, by the mode of validation: an empty page would end a client's loop as if it had
 * read all.
 */
export function checkQuery(
  {
    world,
    validation,
    entryEffects,
  }: { world: World; validation: ValidationMode; entryEffects: EntryEffects | undefined },
  call: ApiCall,
  warnings: string[],
): void {
  if (entryEffects !== undefined && validation === 'strict') {
    if (entryEffects.refusesUnknown) refuseUndeclared(call)
    if (entryEffects.refusesMissingReferences) refuseMissingCursor(world, call)
  }
  if (validation === 'off' || entryEffects?.rowOf(call.operation) !== undefined) return
  const refusal = findUnknownCursor(world, call)
  if (refusal === undefined) return
  if (validation === 'strict') throw refusal
  warnings.push(refusal.message)
}

/** A number, a date or a time: a place in the list that no answer needs to have shown. */
const PLACE = /^-?\d[\d.:TZ+-]*$/

/** Names of parameters that take any key, also one that no record has. */
const ANY_KEY = /marker|start_?key|since|begin/i

/**
 * The refusal of a cursor that no page has given. A key of a record, also of a deleted one, is a cursor, and so is what
 * the description gives as an example. Undefined without such a cursor.
 */
function findUnknownCursor(world: World, { operation, query }: ApiCall): Refusal | undefined {
  const { effect } = operation
  if (effect.kind !== 'list') return undefined
  const { after, before, offset } = effect.paging
  const names = [after, before, offset !== undefined && isToken(operation, offset) ? offset : undefined]
  const view = world.collection(effect.collection)
  for (const name of names) {
    const text = paramValue(query, name)
    if (name === undefined || text === undefined || PLACE.test(text) || ANY_KEY.test(name)) continue
    if (view.has(text) || readCursor(text, view) !== text || world.wasDeleted(effect.collection, text)) continue
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name)
    if (parameter === undefined || isSample(parameter, text)) continue
    const message = `Expected \`${name}\` to be a cursor of an answer or the id of one of the ${view.model.name}, got "${text.slice(0, 100)}". Leave it out for the first page.`
    return new Refusal(statusFor(operation, [400, 422]), 'invalid_request', message, name)
  }
  return undefined
}

const isSample = ({ schema }: Parameter, text: string): boolean =>
  [schema?.default, schema?.example, ...(schema?.enum ?? [])].some((value: Json | undefined) => value === text)

function refuseUndeclared({ compiled, query }: ApiCall): void {
  const declared = new Set(compiled.queryParameters.map(({ name }) => name.replace(/\[.*$/, '')))
  const names = Object.keys(query.values).filter((name) => !/^expand(?:\[|$)/.test(name))
  const unknown = names.find((name) => !declared.has(name.replace(/\[.*$/, '')))
  if (unknown === undefined) return
  throw new Refusal(400, 'invalid_request', `Expected no parameter "${unknown}" in the query.`, unknown, {
    facts: { fault: 'unknown' },
  })
}

function refuseMissingCursor(world: World, { operation, query }: ApiCall): void {
  const { effect } = operation
  if (effect.kind !== 'list') return
  const view = world.collection(effect.collection)
  for (const name of [effect.paging.after, effect.paging.before]) {
    const text = name === undefined ? undefined : getOwn(query.values, name)
    // Our cursors are not keys of records.
    if (name === undefined || typeof text !== 'string' || text === '' || view.has(text)) continue
    if (isGivenCursor(text)) continue
    const { singular } = view.model
    throw new Refusal(400, 'missing_reference', `Failed to find ${singular} "${text}".`, name, {
      facts: { singular, collection: effect.collection, id: text },
    })
  }
}

/** Most undeclared parameters that are compared with the declared ones, and their longest name. */
const MOST_COMPARED = 5
const LONGEST_COMPARED = 60

/** Warns of parameters of the query that look as if they worked: filters without effect, and misspelt names. */
export function warnOfIgnored(
  {
    entryEffects,
    api,
  }: { readonly entryEffects: EntryEffects | undefined; readonly api: { readonly model: ApiModel } },
  { compiled, query }: ApiCall,
  { warnings, isHandled }: { readonly warnings: string[]; readonly isHandled: boolean },
): void {
  const { unreadParameters, queryReader, operation } = compiled
  const unread = unreadParameters.filter((name) => !isHandled && query.pairs.some(([given]) => given === name))
  const misspelt = queryReader
    .undeclaredIn(query)
    .filter((name) => !isElsewhere(name, operation, api.model))
    .slice(0, MOST_COMPARED)
    .flatMap((name) => {
      const shown = name.slice(0, LONGEST_COMPARED)
      const nearest = shown === name ? misspeltFor(name, queryReader.names) : undefined
      // The description of an entry may be a part of the API's own.
      if (nearest === undefined && entryEffects !== undefined) return []
      const fact = `${shown}: ${operation.method} ${operation.path} has no such parameter.`
      if (nearest !== undefined) return [`Ignored ${fact} Did you mean ${nearest}?`]
      return [`Undeclared ${fact} The API itself may ignore it.`]
    })
  if (unread.length > 0)
    warnings.push(
      `Not filtered by ${unread.join(', ')}: the records have no field that fits. A handler of \`${operation.method} ${operation.path}\` can choose them.`,
    )
  if (
    !isHandled &&
    entryEffects === undefined &&
    compiled.collection &&
    /^(list|search)$/.test(operation.effect.kind)
  ) {
    for (const [name, value] of query.pairs) {
      if (
        isFlag(compiled.listParameters.get(name).target?.field.schema) &&
        !value.split(',').every((one) => FLAG.test(one.trim()))
      )
        warnings.push(`Not filtered by ${name}=${value.slice(0, LONGEST_COMPARED)}: the field is true or false.`)
    }
  }
  warnings.push(...misspelt)
}

/** Values of a flag, and those that ask for both. */
const FLAG = /^(true|false|[01]|all|any|both|\*|)$/i

/** Warns of sent parameters and fields that the entry ignores. */
export function warnOfUnread(ignored: readonly IgnoredRow[], call: ApiCall, warnings: string[]): void {
  const { operation, query, body, request } = call
  const sent: JsonObject = { query: { ...query.values }, body: body.value ?? null, header: { ...request.headers } }
  const on = `${operation.method} ${operation.path}`
  for (const { fields, on: own, unless = [], why } of ignored) {
    if (own !== undefined && ![own].flat().includes(on)) continue
    for (const field of fields) {
      const values = valuesAt(sent, field.split('.')).filter((value) => !unless.includes(value))
      const named = unless.length === 0 ? [] : values.filter((value) => typeof value === 'string')
      const shown = named.slice(0, MOST_COMPARED).map((value) => ` "${value.slice(0, LONGEST_COMPARED)}"`)
      if (values.length > 0) warnings.push(`Ignored ${field}${shown} of ${on}: ${why}.`)
    }
  }
}

/** The values at a path, in all items of the lists on the way. */
function valuesAt(value: Json | undefined, path: readonly string[]): Json[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path))
  const [name, ...rest] = path
  if (name === undefined) return value === undefined ? [] : [value]
  return isJsonObject(value) ? valuesAt(getOwn(value, name), rest) : []
}

/** What browsers, proxies and trackers add. */
const ADDED = /^(utm_.*|_)$/

/** Whether a name is in the query for another reason: as the key, a cursor of the answer's links, or a field of an object. */
function isElsewhere(name: string, { effect, parameters }: Operation, { securitySchemes }: ApiModel): boolean {
  return (
    ADDED.test(name) ||
    ('paging' in effect && Object.values(effect.paging).includes(name)) ||
    [...securitySchemes.values()].some((scheme) => scheme.kind === 'apiKey' && scheme.name === name) ||
    parameters.some((one) => one.in === 'querystring' || (takesFields(one) && takesField(one, name)))
  )
}

const takesField = ({ schema }: Parameter, name: string): boolean =>
  schema?.properties.has(name) === true || schema?.additionalProperties !== false
