import {
  type Fields,
  fieldsOf,
  filled,
  isAmong,
  isWithin,
  type Json,
  type Kept,
  listOf,
  type Operations,
  only,
  type Square,
  type SquareRequest,
  textOf,
  without,
} from './square.ts'

const CHANGE = {
  ...{ reference_id: '', state: '', from_state: '', to_state: '', location_id: '', from_location_id: '' },
  ...{ to_location_id: '', catalog_object_id: '', quantity: '', occurred_at: '', team_member_id: '' },
  total_price_money: {},
}
const SHOWN = 'id reference_id catalog_object_id catalog_object_type quantity occurred_at created_at team_member_id'
/** States that are not counted, before a change and after it. */
const NOWHERE = ['NONE', 'UNLINKED_RETURN', 'SUPPORTED_BY_NEWER_VERSION']
const GONE = ['NONE', 'SOLD', 'WASTE']

export const toCount = (count: Fields): Fields => without(count, 'id')

const toAdjustment = (change: Fields): Fields =>
  filled(only(change, `${SHOWN} from_state to_state from_location_id to_location_id total_price_money`))
const toPhysicalCount = (change: Fields): Fields => filled(only(change, `${SHOWN} location_id state`))

const toChange = (change: Fields): Fields =>
  change.kind === 'ADJUSTMENT'
    ? { type: 'ADJUSTMENT', adjustment: toAdjustment(change) }
    : { type: 'PHYSICAL_COUNT', physical_count: toPhysicalCount(change) }

/** The stock of a variation in one state, at one location. */
interface Stock {
  readonly catalog_object_id: Json
  readonly location_id: Json
  readonly state: Json
}

/** Sets how much of a stock there is, from how much there was. */
export function stock({ records, time }: Square, of: Stock, quantityOf: (before: number) => Json): void {
  const count = records.inventory_counts.find({ ...of }) ?? records.inventory_counts.create({ ...of, quantity: '0' })
  const quantity = textOf(quantityOf(Number(count.quantity) || 0))
  records.inventory_counts.update(count, { quantity, calculated_at: time })
}

function change(square: SquareRequest, sent: Fields): Kept {
  const { records, time } = square
  const { type = null } = sent
  if (type !== 'PHYSICAL_COUNT' && type !== 'ADJUSTMENT') {
    const detail = `A change is a PHYSICAL_COUNT or an ADJUSTMENT, not ${textOf(type)}.`
    square.refuse('INVALID_ENUM_VALUE', detail, 'changes.type')
  }
  const name = type.toLowerCase()
  const facts = square.fitting(CHANGE, fieldsOf(sent[name]), `changes.${name}`)
  const { catalog_object_id = null, from_location_id, to_location_id, quantity = '0' } = facts
  const location_id = facts.location_id ?? to_location_id ?? from_location_id ?? null
  if (records.catalog_objects.get(textOf(catalog_object_id))?.type !== 'ITEM_VARIATION')
    square.gone(`Item variation with ID ${textOf(catalog_object_id)} not found.`, 'changes.catalog_object_id')
  if (records.locations.get(textOf(location_id)) === undefined)
    square.gone(`Location with ID \`${textOf(location_id)}\` not found.`, 'changes.location_id')
  const occurred_at = facts.occurred_at ?? time
  const made = records.inventory_changes.create({ ...facts, location_id, kind: type, created_at: time, occurred_at })
  const { state = null, from_state = null, to_state = null } = facts
  const by = Number(quantity) || 0
  const at = (location: Json | undefined, of: Json): Stock => ({
    ...{ catalog_object_id, location_id: location ?? location_id, state: of },
  })
  if (type === 'PHYSICAL_COUNT') stock(square, at(null, state), () => quantity)
  else {
    if (!NOWHERE.includes(textOf(from_state))) stock(square, at(from_location_id, from_state), (before) => before - by)
    if (!GONE.includes(textOf(to_state))) stock(square, at(to_location_id, to_state), (before) => before + by)
  }
  return made
}

/** What an object of the catalog has had, at the locations that the query names. */
function having(square: SquareRequest, collection: 'inventory_counts' | 'inventory_changes'): Kept[] {
  const { catalog_object_id } = square.path
  const { location_ids } = square.query
  square.find('catalog_objects', 'Catalog object with ID {id} not found.', catalog_object_id)
  const places = location_ids ? textOf(location_ids).split(',') : null
  return square
    .oldest(collection, { catalog_object_id: textOf(catalog_object_id) })
    .filter(({ location_id }) => isAmong(location_id, places))
}

/** A change of one kind that the path names. */
function found(square: SquareRequest, kind: string, missing: string): Kept {
  const one = square.find('inventory_changes', missing)
  return one.kind === kind ? one : square.gone(missing.replace('{id}', one.id))
}

export const inventory: Operations = {
  'POST /v2/inventory/changes/batch-create': (square) => {
    const made = listOf(square.body.changes).map((sent) => change(square, sent))
    const ids = made.map(({ catalog_object_id }) => catalog_object_id ?? null)
    const counts = square.oldest('inventory_counts', (count) => isAmong(count.catalog_object_id, ids))
    return { counts: counts.map(toCount), changes: made.map(toChange) }
  },
  'POST /v2/inventory/counts/batch-retrieve': (square) => {
    const { states, updated_after, catalog_object_ids, location_ids } = square.body
    const counts = square.oldest(
      'inventory_counts',
      (count) =>
        isAmong(count.state, states) &&
        isWithin(count.calculated_at, updated_after, null) &&
        isAmong(count.catalog_object_id, catalog_object_ids) &&
        isAmong(count.location_id, location_ids),
    )
    return square.page('counts', counts, toCount)
  },
  'POST /v2/inventory/changes/batch-retrieve': (square) => {
    const { types, updated_after, updated_before, catalog_object_ids, location_ids } = square.body
    const changes = square.oldest(
      'inventory_changes',
      (one) =>
        isAmong(one.kind, types) &&
        isWithin(one.created_at, updated_after, updated_before) &&
        isAmong(one.catalog_object_id, catalog_object_ids) &&
        isAmong(one.location_id, location_ids),
    )
    return square.page('changes', changes, toChange)
  },
  'GET /v2/inventory/{catalog_object_id}': (square) =>
    square.page('counts', having(square, 'inventory_counts'), toCount),
  'GET /v2/inventory/{catalog_object_id}/changes': (square) =>
    square.page('changes', having(square, 'inventory_changes'), toChange),
  'GET /v2/inventory/adjustments/{adjustment_id}': (square) => ({
    adjustment: toAdjustment(found(square, 'ADJUSTMENT', 'Inventory adjustment with ID {id} not found.')),
  }),
  'GET /v2/inventory/physical-counts/{physical_count_id}': (square) => ({
    count: toPhysicalCount(found(square, 'PHYSICAL_COUNT', 'Inventory count with ID {id} not found.')),
  }),
}
