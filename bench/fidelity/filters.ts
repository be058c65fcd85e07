import { foldName } from '../../src/names/words.ts'
import { isJsonObject, type Json } from '../../src/protocol/json.ts'
import { fits } from '../../src/schema/checker.ts'
import type { Operation, Parameter } from '../../src/service/openapi/model.ts'
import { listIn, nounOf } from './answers.ts'
import { show } from './http.ts'
import type { Subject } from './open-simulation.ts'
import { type SimulationClient, setParameter, withLargestPage } from './simulation-client.ts'
import { count, newTally, type Tally } from './tally.ts'

/** Names of parameters that cut, order or show a list whatever fields its records have. */
const NO_FILTER =
  /^(page|perpage|pagesize|limit|offset|cursor|after|before|since|until|sort|sortby|order|orderby|direction|fields|include|expand|embed|q|query|search|filter|format|type|locale|language|lang|version|key|apikey|token|callback|count|size|start|from|to|skip|top|take|max|min|first|last|select|view|with|total|marker)$/

/** Whether a filter by a field of the records finds exactly those that have the value. */
export async function measureFilters({ model }: Subject, client: SimulationClient): Promise<Tally> {
  const tally = newTally()
  for (const operation of model.operations) {
    if (operation.effect.kind !== 'list' || operation.method !== 'GET') continue
    for (const { parameter, miss } of await faultsOf(operation, client)) {
      count(tally, { method: 'GET', path: `${operation.path}?${parameter}` }, miss)
    }
  }
  return tally
}

interface Tried {
  readonly parameter: string
  readonly miss: string | undefined
}

async function faultsOf(operation: Operation, client: SimulationClient): Promise<Tried[]> {
  const filters = operation.parameters.filter(
    ({ in: place, name }) => place === 'query' && !NO_FILTER.test(foldName(name)),
  )
  if (filters.length === 0) return []
  const sample = withLargestPage(operation, client.sample(operation))
  const { json, status } = await client.send(operation, sample)
  const all = status < 400 ? (listIn(json, nounOf(operation.path)) ?? []) : []
  if (all.length < 2) return []
  const tried: Tried[] = []
  for (const filter of filters) {
    const chosen = chooseValue(filter, all)
    if (!chosen || sample.query.some(([name]) => name === filter.name)) continue
    const asked = { ...sample, query: [...sample.query] }
    setParameter(asked.query, filter.name, String(chosen.value))
    const found = await client.send(operation, asked)
    const shown = listIn(found.json, nounOf(operation.path)) ?? []
    const expected = all.filter((item) => holds(item, chosen))
    tried.push({ parameter: filter.name, miss: missOf(found.status, { shown, expected, chosen, json: found.json }) })
  }
  return tried
}

interface Chosen {
  readonly field: string
  readonly value: string | number | boolean
}

/** A value of a field that has the name of the parameter, in a form that the parameter accepts; one that not all have. */
function chooseValue({ name, schema }: Parameter, all: readonly Json[]): Chosen | undefined {
  const [first] = all
  const field = isJsonObject(first) ? Object.keys(first).find((key) => foldName(key) === foldName(name)) : undefined
  if (field === undefined) return undefined
  const one = schema?.items ?? schema
  const values = all.flatMap((item) => (isJsonObject(item) ? [item[field]] : []))
  const usable = values.filter(
    (value): value is string | number | boolean =>
      value !== '' && ['string', 'number', 'boolean'].includes(typeof value) && (!one || fits(one, value as Json)),
  )
  const value = usable.find((candidate) => values.some((other) => other !== candidate)) ?? usable[0]
  return value === undefined ? undefined : { field, value }
}

const holds = (item: Json, { field, value }: Chosen): boolean => isJsonObject(item) && item[field] === value

function missOf(
  status: number,
  {
    shown,
    expected,
    chosen,
    json,
  }: { shown: readonly Json[]; expected: readonly Json[]; chosen: Chosen; json: Json | undefined },
): string | undefined {
  if (status >= 400) return `answered ${status} ${show(json)}`
  const stranger = shown.find((item) => !holds(item, chosen))
  if (stranger !== undefined)
    return `asked ${show(chosen.value)}, got ${show((stranger as Record<string, Json>)[chosen.field])}`
  return shown.length === expected.length
    ? undefined
    : `asked ${show(chosen.value)}, got ${shown.length} of ${expected.length}`
}
