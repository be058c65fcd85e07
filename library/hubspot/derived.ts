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
function rolledUp(given: unknown): JsonObject {
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

/** Properties of a record that follow from its own, and from its stage. */
function derived(given: unknown): JsonObject {
  const { of, stage, now } = fieldsOf(given)
  const { type, properties, createdAt } = fieldsOf(of)
  const all = fieldsOf(properties)
  const sinceCreation = (time: unknown) => Math.max(Date.parse(String(time)) - Date.parse(String(createdAt)), 0)
  const metadata = fieldsOf(stage).metadata === undefined ? undefined : fieldsOf(fieldsOf(stage).metadata)
  const { hs_note_body, hs_call_body, hs_meeting_body, hs_task_body, hs_email_html, hs_email_text } = all
  const body = hs_note_body ?? hs_call_body ?? hs_meeting_body ?? hs_task_body ?? hs_email_html ?? hs_email_text
  const own: Readonly<Record<string, () => JsonObject>> = {
    contacts: () => ({
      hs_full_name_or_email: [all.firstname, all.lastname].filter(Boolean).join(' ') || (all.email ?? null),
      ...(typeof all.email === 'string' && { hs_email_domain: all.email.split('@')[1] ?? null }),
    }),
    deals: () => {
      const { amount = null, closedate = metadata?.isClosed === 'true' ? now : null } = all
      const days = closedate == null ? {} : { raw: sinceCreation(closedate) / DAY_MS }
      return {
        ...{ amount_in_home_currency: amount, ...(metadata && toDeal(metadata, amount)) },
        ...(days.raw !== undefined && { closedate: closedate ?? null, days_to_close: String(Math.floor(days.raw)) }),
      }
    },
    tasks: () => {
      const isDone = all.hs_task_status === 'COMPLETED'
      const hs_task_completion_date = isDone ? (all.hs_task_completion_date ?? now ?? null) : null
      return { hs_task_is_completed: String(isDone), hs_task_completion_date }
    },
    tickets: () => {
      const kept = all.closed_date ?? null
      const closed_date =
        metadata === undefined ? kept : metadata.ticketState === 'CLOSED' ? (kept ?? now ?? null) : null
      return { closed_date, time_to_close: closed_date === null ? null : String(sinceCreation(closed_date)) }
    },
  }
  return {
    hs_object_source: 'INTEGRATION',
    hs_object_source_label: 'INTEGRATION',
    ...(body && {
      hs_body_preview: String(body)
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    }),
    ...own[String(type)]?.(),
  }
}

/** What the stage of a deal makes of it. */
function toDeal({ isClosed = 'false', probability }: JsonObject, amount: unknown): JsonObject {
  const [odds, isWon] = [Number(probability), Number(probability) === 1]
  return {
    hs_is_closed: isClosed,
    hs_is_closed_won: String(isWon),
    hs_is_closed_lost: String(isClosed === 'true' && !isWon),
    hs_deal_stage_probability: String(odds),
    ...(amount !== null && { hs_projected_amount: String(Number(amount) * odds) }),
    ...(amount !== null && { hs_closed_amount: isWon ? String(amount) : '0' }),
  }
}

/** A value that a property cannot have, in the words of HubSpot's errors. */
export const faultOf = (name: string, error: string, message: string): JsonObject => ({
  ...{ isValid: false, message, error, name, localizedErrorMessage: message, portalId: 1 },
})

/** What is wrong with values: by their properties, and by the stages of the record's pipeline. */
function wrongValues(given: unknown): JsonObject[] {
  const { values, defs, kind, stages } = fieldsOf(given)
  return Object.entries(fieldsOf(values)).flatMap(([name, value]) => {
    const def = fieldsOf(defs)[name]
    if (def === undefined && !name.startsWith('hs_'))
      return [faultOf(name, 'PROPERTY_DOESNT_EXIST', `Property "${name}" does not exist`)]
    if (value === null) return []
    const text = String(value)
    const { type, options } = fieldsOf(def)
    const isNumber = !Number.isNaN(Number(text))
    const allowed = Array.isArray(options) ? options.map((one) => fieldsOf(one).value ?? one) : []
    const isStage = fieldsOf(kind).stage === name && Array.isArray(stages) && stages.length > 0
    const isStrange = allowed.length > 0 && text.split(';').some((one) => !allowed.includes(one))
    if (type === 'number' && !isNumber) return [faultOf(name, 'INVALID_NUMBER', `${text} was not a valid number.`)]
    if (/^date/.test(String(type)) && !isNumber && Number.isNaN(Date.parse(text)))
      return [faultOf(name, 'INVALID_LONG', `${text} was not a valid long.`)]
    if (name === 'email' && fieldsOf(kind).name === 'contacts' && text.split('@').length !== 2)
      return [faultOf(name, 'INVALID_EMAIL', `Email address ${text} is invalid`)]
    if (isStrange || (isStage && !(stages as unknown[]).includes(text)))
      return [faultOf(name, 'INVALID_OPTION', `${text} was not one of the allowed options`)]
    return []
  })
}

/**
 * A value of a property as it is shown: a time in UTC, with milliseconds of a time or a day as a text. A life cycle only goes on; choices after
 * a semicolon are added.
 */
function asShown(given: unknown): unknown {
  const { text, type, name, was } = fieldsOf(given)
  if (name === 'lifecyclestage' && LIFE_CYCLE.indexOf(String(was)) > LIFE_CYCLE.indexOf(String(text)))
    return LIFE_CYCLE.includes(String(text)) ? was : text
  if (type === 'enumeration' && String(text).startsWith(';'))
    return [...new Set(`${was ?? ''}${text}`.split(';').filter(Boolean))].join(';')
  const at = /^-?\d{6,15}$/.test(String(text))
    ? Number(text)
    : type === 'datetime'
      ? Date.parse(String(text))
      : Number.NaN
  if (!/^date(time)?$/.test(String(type)) || Number.isNaN(at)) return text
  const time = new Date(at).toISOString()
  return type === 'date' ? time.slice(0, 10) : time.replace('.000Z', 'Z')
}

/** The `metadata` of a stage of deals say whether it closes them. */
function stageMetadata(given: unknown): JsonObject {
  const metadata = fieldsOf(given)
  if (metadata.probability === undefined) return { isClosed: 'false', ...metadata }
  const probability = Number(metadata.probability)
  return { isClosed: String(probability === 0 || probability === 1), ...metadata }
}

/** Why values are refused that have to be unique and that another record has; null if none has them. */
function rivalOf(given: unknown): string | null {
  const { values, defs, kind, id, of } = fieldsOf(given)
  const { name, singular, unique } = fieldsOf(kind)
  const own = listOf(Object.values(fieldsOf(defs))).filter((one) => one.hasUniqueValue === true)
  const textOf = (record: unknown, field: unknown) => String(fieldsOf(record)[String(field)] ?? '').toLowerCase()
  const wanted = [unique ?? [], own.map((one) => one.name)].flat(2).filter((field) => textOf(values, field) !== '')
  const isRival = ({ id: other, properties }: JsonObject) =>
    other !== id && wanted.some((field) => textOf(properties, field) === textOf(values, field))
  const rival = wanted.length === 0 ? undefined : listOf(of).find(isRival)
  return rival ? `${name === 'contacts' ? 'Contact' : singular} already exists. Existing ID: ${rival.id}` : null
}

/** When a meeting is over, and when a task is due. */
function dueOf(given: unknown): unknown {
  const { kind, properties } = fieldsOf(given)
  const { hs_meeting_end_time, hs_timestamp } = fieldsOf(properties)
  return (kind === 'meetings' ? hs_meeting_end_time : kind === 'tasks' ? hs_timestamp : null) ?? null
}

/** The records that are linked to one, by the names of their types; null without any. */
function linkedTo(given: unknown): JsonObject | null {
  const { names, singular, types, links } = fieldsOf(given)
  const found = [names ?? []].flat().flatMap((name): [string, JsonObject][] => {
    const far = listOf(types).find((one) => [one.names].flat().includes(String(name).toLowerCase()))
    const type = `${singular}_to_${far?.singular}`
    const results = listOf(links).flatMap(({ to_id, to_type }) =>
      to_type === far?.name ? [{ id: to_id ?? null, type }] : [],
    )
    return far === undefined || results.length === 0 ? [] : [[String(far.name).replaceAll('_', ' '), { results }]]
  })
  return found.length === 0 ? null : Object.fromEntries(found)
}

/** What is wrong with the filters of a search; null if nothing is. */
function filterFault(given: unknown): string | null {
  const { groups, defs } = fieldsOf(given)
  const filters = listOf(groups).flatMap((one) => listOf(one.filters))
  const blank = filters.find(({ operator, value }) => value == null && COMPARED.test(String(operator)))
  if (blank !== undefined) return `operator ${blank.operator} requires a value`
  const isKnown = (name: string) => fieldsOf(defs)[name] !== undefined || /^(?:hs_|associations\.)/.test(name)
  const unknown = filters.map(({ propertyName }) => String(propertyName ?? '')).find((name) => !isKnown(name))
  return unknown === undefined ? null : `Property ${unknown} does not exist`
}
const COMPARED = /^(?:N?EQ|[LG]TE?|(?:NOT_)?CONTAINS_TOKEN)$/

/** The order of a search: `-name`, `name`, or a name with a direction; null without one. */
function orderOf(given: unknown): JsonObject | null {
  const [sort] = [fieldsOf(given).sorts ?? []].flat()
  const { propertyName = sort, direction } = fieldsOf(sort)
  if (typeof propertyName !== 'string' || propertyName === '') return null
  return {
    by: `properties.${propertyName.replace(/^-/, '')}`,
    descending: direction === 'DESCENDING' || (typeof sort === 'string' && sort.startsWith('-')),
  }
}

/** The types of associations from records of a kind to those of another. */
const typesOf = (one: JsonObject, other: JsonObject, labels: unknown): JsonObject[] => [
  ...listOf(fieldsOf(one.links)[String(other.name)]),
  ...listOf(labels).filter(({ from, to }) => from === one.name && to === other.name),
]

/** The known ones among the types of a request. */
function askedTypes(given: JsonObject): JsonObject[] {
  const [one = {}, other = {}] = listOf(given.ends)
  const all = typesOf(one, other, given.labels)
  return listOf(given.types).flatMap(({ associationTypeId: id }) => {
    const found = all.find(({ typeId }) => Number(typeId) === Number(id))
    return found === undefined ? [] : [found]
  })
}

/** An association as it is shown when it was made. */
function linkOf(given: unknown): JsonObject {
  const { ends, ids } = fieldsOf(given)
  const [from, to] = listOf(ends).map(({ id = null }) => id)
  const [fromObjectId = null, toObjectId = null] = [ids ?? []].flat()
  const labels = askedTypes(fieldsOf(given)).flatMap(({ label }) => label ?? [])
  return { fromObjectTypeId: from ?? null, fromObjectId, toObjectTypeId: to ?? null, toObjectId, labels }
}

/** The types of the way back of those of a request. */
const backsOf = (given: unknown): unknown[] => askedTypes(fieldsOf(given)).map(({ back = null }) => back)

/** The default associations of pairs of records: all there, then all back. */
function defaultLinks(given: unknown): JsonObject[] {
  const { pairs, from, to, labels } = fieldsOf(given)
  const specOf = (one: JsonObject, other: JsonObject): JsonObject => {
    const found = typesOf(one, other, labels).find(({ label }) => label === null)
    const { category = 'USER_DEFINED', typeId = 1_000 } = found ?? {}
    return { associationCategory: category, associationTypeId: typeId }
  }
  const idIn = (end: unknown): JsonObject => ({ id: fieldsOf(end).id ?? null })
  const [there, back] = [specOf(fieldsOf(from), fieldsOf(to)), specOf(fieldsOf(to), fieldsOf(from))]
  return [
    ...listOf(pairs).map((one) => ({ from: idIn(one.from), to: idIn(one.to), associationSpec: there })),
    ...listOf(pairs).map((one) => ({ from: idIn(one.to), to: idIn(one.from), associationSpec: back })),
  ]
}

/** By the names that rows call them with. */
export const functions = {
  $asShown: asShown,
  $backsOf: backsOf,
  $defaultLinks: defaultLinks,
  $linkOf: linkOf,
  $derived: derived,
  $dueOf: dueOf,
  $filterFault: filterFault,
  $linkedTo: linkedTo,
  $orderOf: orderOf,
  $rivalOf: rivalOf,
  $rolledUp: rolledUp,
  $stageMetadata: stageMetadata,
  $wrongValues: wrongValues,
}
