import type { JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'

const CONTACTED = ['calls', 'emails', 'meetings', 'communications', 'postal_mail']
const WITH_ACTIVITIES = ['contacts', 'companies', 'deals', 'tickets']
const LIFE_CYCLE = 'subscriber lead marketingqualifiedlead salesqualifiedlead opportunity customer evangelist'.split(
  ' ',
)
/** Kinds of fields for the types of properties that have a choice. */
export const FIELD_TYPES: Readonly<Record<string, readonly string[]>> = {
  bool: ['booleancheckbox', 'calculation_equation'],
  date: ['date'],
  datetime: ['date'],
  enumeration: ['booleancheckbox', 'checkbox', 'radio', 'select', 'calculation_equation'],
  number: ['number', 'calculation_equation'],
  string: ['text', 'textarea', 'file', 'html', 'phonenumber', 'calculation_equation'],
}
const DAY_MS = 86_400_000

const latest = (records: readonly JsonObject[], name: string): string | null =>
  records
    .flatMap((one) => (typeof one[name] === 'string' ? [one[name]] : []))
    .sort()
    .at(-1) ?? null

/** Properties of a record of type `of` that follow from the records it is associated with, the newest first. */
export function rolledUp(given: unknown): JsonObject {
  const { of, linked } = fieldsOf(given)
  const type = String(of)
  if (!WITH_ACTIVITIES.includes(type)) return {}
  const others = listOf(linked).filter(({ archived }) => archived === false)
  const named = (...types: string[]) =>
    others.filter((one) => types.includes(String(one.type))).map(({ properties }) => fieldsOf(properties))
  const [contacting, deals] = [named(...CONTACTED), named('deals')]
  const activities = [...contacting, ...named('notes')]
  const won = deals.filter(({ hs_is_closed_won: is }) => is === 'true')
  const recent = won.toSorted((a, b) => String(b.closedate).localeCompare(String(a.closedate)))[0]
  const [isDeal, isPerson] = [type === 'deals', type === 'contacts']
  return {
    num_notes: activities.length === 0 ? null : String(activities.length),
    num_contacted_notes: contacting.length === 0 ? null : String(contacting.length),
    notes_last_updated: latest(activities, 'hs_timestamp'),
    notes_last_contacted: latest(contacting, 'hs_timestamp'),
    ...(isPerson && { associatedcompanyid: others.findLast((one) => one.type === 'companies')?.id ?? null }),
    ...((isPerson || type === 'companies') && {
      num_associated_deals: String(deals.length),
      total_revenue: recent ? String(won.reduce((sum, { amount }) => sum + Number(amount ?? 0), 0)) : null,
      recent_deal_amount: recent?.amount ?? null,
      recent_deal_close_date: recent?.closedate ?? null,
    }),
    ...((isDeal || type === 'companies') && { num_associated_contacts: String(named('contacts').length) }),
    ...(isDeal && { hs_num_of_associated_line_items: String(named('line_items').length) }),
  }
}

/** Properties of a record that follow from its own. */
export function derived(given: unknown): JsonObject {
  const { type, properties, createdAt } = fieldsOf(given)
  const { firstname, lastname, email, amount, ...times } = fieldsOf(properties)
  const { closedate, hs_is_closed_won: won, closed_date: closed } = times
  const sinceCreation = (time: unknown) => Math.max(Date.parse(String(time)) - Date.parse(String(createdAt)), 0)
  return {
    hs_object_source: 'INTEGRATION',
    hs_object_source_label: 'INTEGRATION',
    ...(type === 'contacts' && {
      hs_full_name_or_email: [firstname, lastname].filter(Boolean).join(' ') || (email ?? null),
    }),
    ...(type === 'deals' && { amount_in_home_currency: amount ?? null }),
    ...(type === 'deals' && won === 'true' && { days_to_close: String(Math.floor(sinceCreation(closedate) / DAY_MS)) }),
    ...(type === 'tickets' && { time_to_close: typeof closed === 'string' ? String(sinceCreation(closed)) : null }),
  }
}

/**
 * A value of a property as it is shown: milliseconds of a time or a day as a text. A life cycle only goes on; choices after
 * a semicolon are added.
 */
export function asShown(given: unknown): unknown {
  const { text, type, name, was } = fieldsOf(given)
  if (name === 'lifecyclestage' && LIFE_CYCLE.indexOf(String(was)) > LIFE_CYCLE.indexOf(String(text)))
    return LIFE_CYCLE.includes(String(text)) ? was : text
  if (type === 'enumeration' && String(text).startsWith(';'))
    return [...new Set(`${was ?? ''}${text}`.split(';').filter(Boolean))].join(';')
  if (!/^date(time)?$/.test(String(type)) || !/^-?\d{6,15}$/.test(String(text))) return text
  const time = new Date(Number(text)).toISOString()
  return type === 'date' ? time.slice(0, 10) : time.replace('.000Z', 'Z')
}

/** The `metadata` of a stage of deals say whether it closes them. */
export function stageMetadata(given: unknown): JsonObject {
  const metadata = fieldsOf(given)
  if (metadata.probability === undefined) return { isClosed: 'false', ...metadata }
  const probability = Number(metadata.probability)
  return { isClosed: String(probability === 0 || probability === 1), ...metadata }
}
