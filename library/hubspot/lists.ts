import { valueText } from '../../src/protocol/json.ts'
import { matchesOf } from '../shared/queries.ts'
import { present } from './derived.ts'
import {
  type CrmObject,
  type Fields,
  type HubspotRequest,
  isMissing,
  type Json,
  type Kept,
  listOf,
  namesIn,
  type Operations,
  without,
} from './hubspot.ts'

const MEMBERS = { usual: 100, most: 250, idOf: ({ recordId }: Fields) => recordId }
const USUAL_FOUND = 20

/** What `filterBranch` of a dynamic list is made of. */
const GRAMMAR = {
  groups: { filterBranches: 'any', filters: 'all' },
  field: 'property',
  operator: 'operation.operator',
  value: 'operation.value',
  values: 'operation.values',
  upTo: 'operation.upperBound',
  in: 'properties',
  operators: {
    ...{ IS_EQUAL_TO: 'eq', IS: 'eq', IS_NOT_EQUAL_TO: 'ne', CONTAINS: 'has', DOES_NOT_CONTAIN: 'lacks' },
    ...{ STARTS_WITH: 'starts', ENDS_WITH: 'ends', IS_KNOWN: 'present', IS_UNKNOWN: 'absent' },
    ...{ IS_ANY_OF: 'in', IS_NONE_OF: 'out', IS_GREATER_THAN: 'gt', IS_GREATER_THAN_OR_EQUAL_TO: 'gte' },
    ...{ IS_BETWEEN: 'between', IS_LESS_THAN: 'lt', IS_LESS_THAN_OR_EQUAL_TO: 'lte', IS_BEFORE: 'lt', IS_AFTER: 'gt' },
  },
}

/** The objects that a list can have. */
const candidatesOf = (hubspot: HubspotRequest, { objectTypeId }: Kept): CrmObject[] =>
  hubspot.having('objects', { type: hubspot.kindCalled(objectTypeId)?.name ?? '', archived: false })

/** The memberships of a list: those of a dynamic one follow from its filters. */
export function membersOf(hubspot: HubspotRequest, list: Kept): Fields[] {
  if (list.processingType !== 'DYNAMIC') return listOf(list.members)
  // A range has its lower bound where other operations have a value.
  const branch = JSON.parse(JSON.stringify(list.filterBranch ?? null), (_, one) =>
    one?.lowerBound === undefined ? one : { ...one, value: one.lowerBound },
  )
  const { items } = matchesOf(candidatesOf(hubspot, list), branch, GRAMMAR)
  return (items as CrmObject[]).map(({ id, updatedAt }) => ({ recordId: id, membershipTimestamp: updatedAt }))
}

/** A list as answers show it: its filters are asked for. */
const toList = (hubspot: HubspotRequest, list: Kept): Fields => ({
  ...present(without(list, 'members filterBranch')),
  size: membersOf(hubspot, list).length,
  ...(hubspot.query.includeFilters === 'true' &&
    list.filterBranch !== null && { filterBranch: list.filterBranch ?? {} }),
})

/** The list that the path names. */
function named(hubspot: HubspotRequest): Kept {
  const list = hubspot.find('lists', hubspot.path.listId)
  return isMissing(list.deletedAt) ? list : hubspot.missing()
}

/** All lists that are not deleted. */
const living = (hubspot: HubspotRequest): Kept[] => hubspot.having('lists', { deletedAt: null })

const change = (hubspot: HubspotRequest, list: Kept, fields: Fields): Kept =>
  hubspot.records.lists.update(list, { ...fields, updatedAt: hubspot.iso })

/** The list that the path names, if a request may change its memberships. */
function manual(hubspot: HubspotRequest): Kept {
  const list = named(hubspot)
  if (list.processingType === 'DYNAMIC') hubspot.invalid('Memberships of a DYNAMIC list follow from its filters.')
  return list
}

/** Adds records to a list, and removes others. */
function changeMembers(
  hubspot: HubspotRequest,
  { add, remove }: { add?: Json | undefined; remove?: Json | undefined },
): Fields {
  const list = manual(hubspot)
  const [wanted = [], unwanted = []] = [add, remove].map((ids) => [...new Set([ids ?? []].flat().map(valueText))])
  const members = listOf(list.members)
  const isMember = (id: string) => members.some(({ recordId }) => recordId === id)
  const known = new Set(candidatesOf(hubspot, list).map(({ id }) => id))
  const added = wanted.filter((id) => known.has(id) && !isMember(id))
  change(hubspot, list, {
    members: [
      ...members.filter(({ recordId }) => !unwanted.includes(valueText(recordId))),
      ...added.map((recordId) => ({ recordId, membershipTimestamp: hubspot.iso })),
    ],
  })
  return {
    recordIdsRemoved: unwanted.filter(isMember),
    recordsIdsAdded: added,
    recordIdsMissing: wanted.filter((id) => !known.has(id)),
  }
}

function memberships(hubspot: HubspotRequest): Fields {
  const members = membersOf(hubspot, named(hubspot))
  return { ...hubspot.list(members, MEMBERS, (member) => member), total: members.length }
}

function find(hubspot: HubspotRequest): Fields {
  const {
    query = '',
    offset = 0,
    count = USUAL_FOUND,
  } = hubspot.sent({ query: 'text', offset: 'integer', count: 'integer' })
  const [ids, types] = [hubspot.body.listIds, hubspot.body.processingTypes].map(namesIn)
  const among = (values: readonly string[] | undefined, value: Json | undefined) =>
    values?.length === 0 || values?.includes(valueText(value ?? ''))
  const words = valueText(query).toLowerCase()
  const found = living(hubspot).filter(
    ({ name, listId, processingType }) =>
      valueText(name ?? '')
        .toLowerCase()
        .includes(words) &&
      among(ids, listId) &&
      among(types, processingType),
  )
  const end = Number(offset) + Number(count)
  return {
    offset: end,
    hasMore: found.length > end,
    total: found.length,
    lists: found.slice(Number(offset), end).map((list) => {
      const { size, ...shown } = toList(hubspot, list)
      return { ...shown, additionalProperties: { hs_list_size: String(size) } }
    }),
  }
}

export const lists: Operations = {
  'POST /crm/v3/lists': (hubspot) => {
    const { records, iso } = hubspot
    hubspot.need('name objectTypeId processingType')
    const form = { name: 'text', objectTypeId: 'text', processingType: 'text', filterBranch: 'object' } as const
    const given = hubspot.sent(form)
    const { name = '', objectTypeId = '', processingType, filterBranch } = given
    if (records.lists.some({ name, objectTypeId, deletedAt: null }))
      hubspot.invalid(`List name ${name} is taken.`, { subCategory: 'ILS.DUPLICATE_LIST_NAMES' })
    if (!['MANUAL', 'DYNAMIC', 'SNAPSHOT'].includes(valueText(processingType)))
      hubspot.misread('processingType must be one of MANUAL, DYNAMIC, SNAPSHOT')
    if (processingType === 'DYNAMIC' && filterBranch === undefined)
      hubspot.invalid('A list of the processing type DYNAMIC needs a filterBranch.')
    const times = { createdAt: iso, updatedAt: iso, filtersUpdatedAt: iso }
    return { list: toList(hubspot, records.lists.create({ ...given, ...times })) }
  },
  'GET /crm/v3/lists': (hubspot) => {
    const ids = namesIn(hubspot.query.listIds)
    const found = living(hubspot).filter(({ listId }) => ids.includes(valueText(listId)))
    return { lists: found.map((list) => toList(hubspot, list)) }
  },
  'POST /crm/v3/lists/search': find,
  'GET /crm/v3/lists/object-type-id/{objectTypeId}/name/{listName}': (hubspot) => {
    const { listName: name = '', objectTypeId = '' } = hubspot.path
    const list = hubspot.records.lists.find({ name, objectTypeId, deletedAt: null }) ?? hubspot.missing()
    return { list: toList(hubspot, list) }
  },
  'GET /crm/v3/lists/{listId}': (hubspot) => ({ list: toList(hubspot, named(hubspot)) }),
  'DELETE /crm/v3/lists/{listId}': (hubspot) => {
    hubspot.records.lists.update(named(hubspot), { deletedAt: hubspot.iso })
  },
  'PUT /crm/v3/lists/{listId}/restore': (hubspot) => {
    const list = hubspot.find('lists', hubspot.path.listId)
    change(hubspot, list, { deletedAt: null })
  },
  'PUT /crm/v3/lists/{listId}/update-list-name': (hubspot) => {
    const name = hubspot.query.listName ?? hubspot.invalid('listName is required')
    return { updatedList: toList(hubspot, change(hubspot, named(hubspot), { name })) }
  },
  'PUT /crm/v3/lists/{listId}/update-list-filters': (hubspot) => {
    hubspot.need('filterBranch')
    const fields = { ...hubspot.sent({ filterBranch: 'object' }), filtersUpdatedAt: hubspot.iso }
    return { updatedList: toList(hubspot, change(hubspot, named(hubspot), fields)) }
  },
  'PUT /crm/v3/lists/{listId}/memberships/add': (hubspot) => changeMembers(hubspot, { add: hubspot.of.body }),
  'PUT /crm/v3/lists/{listId}/memberships/remove': (hubspot) => changeMembers(hubspot, { remove: hubspot.of.body }),
  'PUT /crm/v3/lists/{listId}/memberships/add-and-remove': (hubspot) => {
    const { recordIdsToAdd: add, recordIdsToRemove: remove } = hubspot.body
    return changeMembers(hubspot, { add, remove })
  },
  'PUT /crm/v3/lists/{listId}/memberships/add-from/{sourceListId}': (hubspot) => {
    const source = hubspot.find('lists', hubspot.path.sourceListId)
    changeMembers(hubspot, { add: membersOf(hubspot, source).map(({ recordId = null }) => recordId) })
  },
  'DELETE /crm/v3/lists/{listId}/memberships': (hubspot) => {
    change(hubspot, manual(hubspot), { members: [] })
  },
  'GET /crm/v3/lists/{listId}/memberships': memberships,
  'GET /crm/v3/lists/{listId}/memberships/join-order': memberships,
  'GET /crm/v3/lists/records/{objectTypeId}/{recordId}/memberships': (hubspot) => {
    const results = living(hubspot).flatMap((list) =>
      membersOf(hubspot, list)
        .filter(({ recordId }) => recordId === hubspot.path.recordId)
        .map(({ membershipTimestamp: time = null }) => ({
          ...{ listId: list.listId ?? null, listVersion: 1, firstAddedTimestamp: time, lastAddedTimestamp: time },
        })),
    )
    return { total: results.length, results }
  },
}
