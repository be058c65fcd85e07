import { expect, it } from 'vitest'
import { matchesOf } from '../../library/shared/queries.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'

const jars = [
  { id: 'a', label: 'Fig jam', weight: '90', made: '2026-01-01T00:00:00.000Z', tags: ['sweet'] },
  { id: 'b', label: 'plum', weight: '1000', made: '2026-02-01T00:00:00.000Z', tags: ['sweet', 'red'] },
  { id: 'c', label: 'Pickle', weight: null, made: '2026-03-01T00:00:00.000Z', tags: [] },
]
const OPERATORS = [
  ...['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'out', 'has', 'lacks', 'starts', 'ends'],
  ...['present', 'absent', 'words', 'wordless'],
]

const find = (query: JsonObject | string, by: JsonObject) => {
  const { items, fault } = matchesOf(jars, query, by)
  return fault ? { problem: fault } : items.map(({ id }) => id)
}
const search = (query: JsonObject) =>
  find(query, {
    groups: { some: 'any', every: 'all' },
    junctions: { AND: 'all', OR: 'any' },
    field: 'on.field',
    operator: 'is',
    value: 'value',
    upTo: 'to',
    operators: Object.fromEntries(OPERATORS.map((name) => [name, name])),
  })
const SQL = {
  junctions: { AND: 'all', OR: 'any' },
  operators: {
    '=': 'eq',
    '>=': 'gte',
    LIKE: 'like',
    'NOT LIKE': 'unlike',
    IN: 'in',
    CONTAINS: 'eq',
    'IS NULL': 'absent',
  },
}

const on = (field: string, is: string, value: Json = null, to: Json = null): JsonObject => ({
  on: { field },
  is,
  value,
  to,
})

const CASES: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['texts whatever their case', on('label', 'eq', 'PLUM'), ['b']],
  ['items of lists', on('tags', 'eq', 'red'), ['b']],
  ['numbers in texts by size', on('weight', 'gt', '100'), ['b']],
  ['times and milliseconds', on('made', 'gte', Date.parse('2026-02-01')), ['b', 'c']],
  ['what lies between', on('made', 'between', '2026-01-15', '2026-02-15'), ['b']],
  ['one of several', on('label', 'in', ['plum', 'pickle']), ['b', 'c']],
  ['none of several, of what is there', on('weight', 'out', ['90']), ['b']],
  ['parts of texts', on('label', 'has', 'IG'), ['a']],
  ['beginnings', on('label', 'starts', 'p'), ['b', 'c']],
  ['what is there', on('weight', 'present'), ['a', 'b']],
  ['what is not', on('weight', 'absent'), ['c']],
  ['whole words', on('label', 'words', 'jam'), ['a']],
  ['words with a star', on('label', 'words', 'p*m'), ['b']],
  ['all of a group', { every: [on('label', 'starts', 'p'), on('weight', 'present')] }, ['b']],
  [
    'any of a group, of groups',
    { some: [{ every: [on('label', 'eq', 'fig jam')] }, on('weight', 'absent')] },
    ['a', 'c'],
  ],
  [
    'operators that join',
    {
      is: 'OR',
      value: [on('label', 'eq', 'plum'), { is: 'AND', value: [on('tags', 'eq', 'sweet'), on('weight', 'lt', 100)] }],
    },
    ['a', 'b'],
  ],
  ['nothing', {}, ['a', 'b', 'c']],
]

it('finds what a query asks for', () => {
  for (const [what, query, ids] of CASES) expect(search(query), what).toEqual(ids)
})

it('says which condition it cannot read', () => {
  const unknown = search({ every: [on('label', 'like', 'x')] })
  const shapeless = search({ every: ['label'] })

  expect(unknown).toEqual({ problem: { operator: 'like', field: 'label', reason: 'operator' } })
  expect(shapeless).toEqual({ problem: { operator: '', field: '', reason: 'shape' } })
})

const CONDITIONS: readonly (readonly [string, unknown])[] = [
  [`label = 'FIG JAM'`, ['a']],
  [`label LIKE 'p%'`, ['b', 'c']],
  [`label LIKE '%i%k%e'`, ['c']],
  [`label LIKE 'p%plum'`, []],
  [`label NOT LIKE '%u%'`, ['a', 'c']],
  [`weight >= 90 AND (label = "plum" OR CONTAINS(tags, 'red'))`, ['b']],
  [`label = 'plum' OR label = 'Pickle' AND weight >= 5`, ['b']],
  [`label in ('plum', 'Pickle') and weight is null`, ['c']],
  [`label = 'Grandma''s'`, []],
  ['label =', { problem: { operator: '', field: '', reason: 'syntax' } }],
  ['label ~ 1', { problem: { operator: '', field: '', reason: 'syntax' } }],
  [`label = 'plum`, { problem: { operator: '', field: '', reason: 'syntax' } }],
  [`(label = 'plum'`, { problem: { operator: '', field: '', reason: 'syntax' } }],
  [`label = 'plum' label`, { problem: { operator: '', field: '', reason: 'syntax' } }],
  ['('.repeat(1_000), { problem: { operator: '', field: '', reason: 'syntax' } }],
  [`label <> 'plum'`, { problem: { operator: '<>', field: 'label', reason: 'operator' } }],
]

it('reads conditions in texts, and says which it cannot read', () => {
  const found = CONDITIONS.map(([text]) => [text, find(text, SQL)])

  expect(found).toEqual(CONDITIONS)
})
