import { matchesOf } from '../shared/queries.ts'
import type { Fields, Json, Kept, SendGrid } from './sendgrid.ts'

const OPERATORS = {
  ...{ '=': 'eq', '!=': 'ne', '<>': 'ne', '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', LIKE: 'like' },
  ...{ 'NOT LIKE': 'unlike', IN: 'in', 'NOT IN': 'out', CONTAINS: 'eq', 'IS NULL': 'absent', 'IS NOT NULL': 'present' },
}
/** Where records have the fields of the email activity's queries. */
const PLACES = { msg_id: 'sg_message_id', to_email: 'email', from_email: 'from' }

/** The records that match a condition in SendGrid's SQL; undefined where it cannot be read. */
export function matching({ records }: SendGrid, items: Iterable<Kept>, query: Json | undefined): Kept[] | undefined {
  const own = [...records.field_definitions].map(({ name }) => [name, `custom_fields.${name}`])
  const by = {
    junctions: { AND: 'all', OR: 'any' },
    operators: OPERATORS,
    places: { ...PLACES, ...Object.fromEntries(own) },
  }
  const found = matchesOf([...items], query ?? null, by)
  return found.fault === undefined ? (found.items as Kept[]) : undefined
}

/** The contacts of a segment. */
export function contactsOf(sendgrid: SendGrid, { query_dsl }: Fields): Kept[] {
  const condition = String(query_dsl ?? '').split(/ where /i)[1]
  return matching(sendgrid, sendgrid.records.contacts.where({}).toReversed(), condition) ?? []
}
