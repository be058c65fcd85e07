import { valueText } from '../../src/protocol/json.ts'
import { matchesOf } from '../shared/queries.ts'
import { type CrmObject, type Fields, fieldsOf, type HubspotRequest, type Kind, type Operations } from './hubspot.ts'
import { toObject, wantedIn } from './shown.ts'

const OPERATORS = {
  ...{ EQ: 'eq', NEQ: 'ne', LT: 'lt', LTE: 'lte', GT: 'gt', GTE: 'gte', BETWEEN: 'between', IN: 'in', NOT_IN: 'out' },
  ...{ HAS_PROPERTY: 'present', NOT_HAS_PROPERTY: 'absent', CONTAINS_TOKEN: 'words', NOT_CONTAINS_TOKEN: 'wordless' },
}
const GRAMMAR = {
  groups: { filterGroups: 'any', filters: 'all' },
  field: 'propertyName',
  upTo: 'highValue',
  in: 'properties',
  operators: OPERATORS,
}
/** What operators need. */
const NEEDED: readonly [RegExp, string[]][] = [
  [/^(?:N?EQ|[LG]TE?|(?:NOT_)?CONTAINS_TOKEN)$/, ['value']],
  [/^(?:NOT_)?IN$/, ['values']],
  [/^BETWEEN$/, ['value', 'highValue']],
]

/** A search shows its first 10,000 results, and 200 at most in a page. */
const MOST_FOUND = 10_000
const MOST_SHOWN = 200
const USUAL_SHOWN = 10

/** The objects whose searched properties have all words of a text. */
function worded(kind: Kind, objects: CrmObject[], query: string): CrmObject[] {
  const words = query.toLowerCase().split(' ')
  if (query === '') return objects
  return objects.filter(({ properties }) => {
    const text = kind.searched.map((name) => valueText(properties[name] ?? '')).join(' ')
    return words.every((word) => text.toLowerCase().includes(word))
  })
}

/** The objects that match the filters of a body. */
function filtered(hubspot: HubspotRequest, kind: Kind, objects: CrmObject[], body: Fields): CrmObject[] {
  const [filterGroups, filters] = [hubspot.parts('filterGroups', body), hubspot.parts('filters', body)]
  const all = [...filterGroups.flatMap((group) => hubspot.parts('filters', group)), ...filters]
  const problem = (fault: string): never => hubspot.invalid(`There was a problem with the request. ${fault}`)
  for (const { operator, ...filter } of all) {
    const [, needed = []] = NEEDED.find(([operators]) => operators.test(String(operator))) ?? []
    const lacking = needed.find((name) => (filter[name] ?? null) === null)
    if (lacking !== undefined) problem(`operator ${operator} requires a ${lacking}`)
  }
  const known = new Set(hubspot.definitionsOf(kind).map((one) => one.name))
  const names = all.map(({ propertyName }) => valueText(propertyName ?? ''))
  const unknown = names.find((name) => !known.has(name) && !/^(?:hs_|associations\.)/.test(name))
  if (unknown !== undefined) problem(`Property ${unknown} does not exist`)
  const of = names.some((name) => name.startsWith('associations.'))
    ? objects.map((object) => ({
        ...object,
        properties: { ...object.properties, associations: linksOf(hubspot, object) },
      }))
    : objects
  const { items, fault } = matchesOf(of, { filterGroups, filters }, GRAMMAR)
  if (fault === undefined) return items as CrmObject[]
  const { field, operator } = fault
  return hubspot.invalid(
    `Invalid filter on the property ${field}: the operator ${operator} is not one of those that are known`,
  )
}

/** The ids of associated objects, by the names of their types. */
function linksOf(hubspot: HubspotRequest, { id }: CrmObject): Fields {
  const links = hubspot.having('associations', { from_id: id })
  const byType = Object.entries(Object.groupBy(links, ({ to_type }) => valueText(to_type ?? '')))
  return Object.fromEntries(
    byType.flatMap(([type, some = []]) =>
      (hubspot.kindCalled(type)?.names ?? []).map((name) => [name, some.map(({ to_id = null }) => to_id)]),
    ),
  )
}

/** The objects in the order of the body: `-name`, `name`, or a name with a direction. Those without the property come last. */
function inOrder(objects: CrmObject[], sorts: Fields[string] | undefined): CrmObject[] {
  const [sort] = [sorts ?? []].flat()
  const { propertyName = sort, order, direction = order } = fieldsOf(sort)
  if (typeof propertyName !== 'string' || propertyName === '') return objects
  const isDescending =
    valueText(direction ?? '').startsWith('DES') || (typeof sort === 'string' && sort.startsWith('-'))
  const name = propertyName.replace(/^-/, '')
  const keyOf = ({ properties }: CrmObject) => {
    const text = valueText(properties[name] ?? '')
    return text === '' || Number.isNaN(Number(text)) ? text : Number(text)
  }
  return objects.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)]
    if (a === b) return 0
    if (a === '' || b === '') return a === '' ? 1 : -1
    const isLess = typeof a === 'number' && typeof b === 'number' ? a < b : String(a) < String(b)
    return isLess === isDescending ? 1 : -1
  })
}

/** The objects of a type that a search finds, in its order. */
export function matching(hubspot: HubspotRequest, kind: Kind, body: Fields): CrmObject[] {
  const all = hubspot.having('objects', { type: kind.name, archived: false })
  return inOrder(filtered(hubspot, kind, worded(kind, all, valueText(body.query ?? '')), body), body.sorts)
}

export const search: Operations = {
  'POST /crm/v3/objects/{objectType}/search': (hubspot) => {
    const kind = hubspot.kind()
    const { after } = hubspot.body
    const { limit = USUAL_SHOWN } = hubspot.sent({ limit: 'integer' })
    const offset = valueText(after ?? '') || '0'
    if (!/^\d{1,15}$/.test(offset)) hubspot.invalid(`The after parameter ${offset} is not a number`)
    if (Number(offset) >= MOST_FOUND)
      hubspot.invalid(`Paging goes to the first ${MOST_FOUND} results: filter them further`)
    const found = matching(hubspot, kind, hubspot.body)
    const end = Number(offset) + Math.min(Math.max(Number(limit), 1), MOST_SHOWN)
    const wanted = wantedIn(hubspot.body)
    return {
      total: found.length,
      results: found.slice(Number(offset), end).map((object) => toObject(kind, object, wanted)),
      ...(end < found.length && { paging: { next: { after: String(end) } } }),
    }
  },
}
