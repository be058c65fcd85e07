import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, describeApi, list, object, path, query, string } from './describe-api.ts'

const flag = { type: 'boolean' }
const film = object({ id: string(), name: string(), year: { type: 'integer' } }, ['id', 'name', 'year'])
const one = { get: { parameters: [path('id')], responses: answers(film) } }
const films = ['Alien', 'Brazil', 'Casablanca'].map((name, at) => ({ id: name, name, year: [1979, 1985, 1942][at] }))
const deep = (name: string): JsonObject => ({ ...query(name, { type: 'object' }), style: 'deepObject', explode: true })
const texts = (name: string): JsonObject => query(name, list(string()))

/** The parameters of a list, and a query that asks for the names from the last to the first. */
const DESCENDING: [query: string, parameters: JsonObject[]][] = [
  ['sort=-name', [query('sort')]],
  ['sort=name:desc', [query('sort')]],
  ['sort=name,desc', [query('sort')]],
  ['sort=name.desc', [query('sort')]],
  ['sort=name|desc', [query('sort')]],
  ['sort=name%20DESC', [query('sort')]],
  ['sort=desc(name)', [query('sort')]],
  ['sort=name_desc', [query('sort', string({ enum: ['name_asc', 'name_desc'] }))]],
  ['sort=nameDesc', [query('sort')]],
  ['sort=name:desc&sort=year:asc', [texts('sort')]],
  ['sort[name]=desc', [deep('sort')]],
  ['sort[name]=-1', [deep('sort')]],
  ['sort[by]=name&sort[direction]=desc', [deep('sort')]],
  ['sort[0][field]=name&sort[0][order]=desc', [query('sort', list({ type: 'object' }))]],
  ['sort={"name":-1}', [query('sort')]],
  ['order[name]=desc', [deep('order')]],
  ['orderBy[name]=desc', [deep('orderBy')]],
  ['order_by[0]=name%20desc', [texts('order_by')]],
  ['orderBy=name%20desc', [query('orderBy')]],
  ['$orderby=name%20desc', [query('$orderby')]],
  ['$orderby=name%20desc,year%20asc', [query('$orderby')]],
  ['$sort[name]=-1', [deep('$sort')]],
  ['sort_by=name&order_by=desc', [query('sort_by'), query('order_by')]],
  ['_sort=name&_order=desc', [query('_sort'), query('_order')]],
  ['order=desc&sort=name', [query('order'), query('sort')]],
  ['order=name.desc', [query('order')]],
  ['order=-1&sort=name', [query('order'), query('sort')]],
  ['sortBy=name&sortDirection=DESC', [query('sortBy'), query('sortDirection')]],
  ['sort_by=name&sort_dir=descending', [query('sort_by'), query('sort_dir')]],
  ['sort_field=name&sort_order=desc', [query('sort_field'), query('sort_order')]],
  ['order_by=name&order_direction=desc', [query('order_by'), query('order_direction')]],
  ['sort_key=name&sort_type=desc', [query('sort_key'), query('sort_type')]],
  ['ordering=-name', [query('ordering')]],
  ['sort=name&desc=true', [query('sort'), query('desc', flag)]],
  ['sort=name&descending=1', [query('sort'), query('descending', flag)]],
  ['sort=name&reverse=true', [query('sort'), query('reverse', flag)]],
  ['sort=name&asc=false', [query('sort'), query('asc', flag)]],
  ['sort=name&ascending=false', [query('sort'), query('ascending', flag)]],
  ['sortBy=name&sortDesc=true', [query('sortBy'), query('sortDesc', flag)]],
  ['orderBy=name&orderDesc=true', [query('orderBy'), query('orderDesc', flag)]],
  ['sort=name&sort_descending=true', [query('sort'), query('sort_descending', flag)]],
]

it.each(DESCENDING)('sorts by %s, and the other way round', async (asked, parameters) => {
  const get = { parameters, responses: answers(list(film)) }
  const spec = describeApi({ '/films': { get }, '/films/{id}': one })
  const seedRecords = { films: [films[1], films[2], films[0]] }
  await using api = await createSimulation({ spec }, { behaviour: [], volume: { films: 0 }, seedRecords })
  const names = async (text: string) =>
    ((await (await api.fetch(`/films?${text}`)).json()) as JsonObject[]).map(({ name }) => name)
  const other = asked
    .replace(/-name/, 'name')
    .replace(/desc(?=ending)|desc(?=\(|$|&|,|%)|Desc$|DESC/g, 'asc')
    .replaceAll('-1', '1')
  const flipped = /=(true|1|false)$/.test(asked)
    ? asked.replace(/=(true|1|false)$/, (_, value) => (value === 'false' ? '=true' : '=false'))
    : other

  expect(await names(asked)).toEqual(['Casablanca', 'Brazil', 'Alien'])
  expect(await names(flipped)).toEqual(['Alien', 'Brazil', 'Casablanca'])
})
