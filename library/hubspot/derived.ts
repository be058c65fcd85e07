/** Properties that follow from others. */
import { valueText } from '../../src/protocol/json.ts'
import { type CrmObject, type Fields, fieldsOf, type Hubspot, type Json, type Kind, listOf } from './hubspot.ts'

const CONTACTED = ['calls', 'emails', 'meetings', 'communications', 'postal_mail']
const WITH_ACTIVITIES = ['contacts', 'companies', 'deals', 'tickets', 'quotes']
/** Objects whose changes change what the objects around them count. */
export const COUNTED = ['deals', 'calls', 'notes', 'meetings', 'emails', 'tasks']
const DAY_MS = 86_400_000

/** The fields that are not null. */
export const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** The stages of the pipeline that an object with these properties is in. */
export function stagesOf({ records }: Hubspot, { name, pipeline }: Kind, properties: Fields): Fields[] {
  const found = records.pipelines.find({ objectType: name, id: valueText(properties[pipeline] ?? '') })
  return listOf(found?.stages)
}

/** All properties of an object that follow from its own values and their history. */
export function settled(hubspot: Hubspot, kind: Kind, object: CrmObject): Fields {
  const { history, createdAt } = object
  const properties: Fields = { ...object.properties, hs_object_id: object.id }
  if (kind.name === 'line_items') Object.assign(properties, lineItem(hubspot, properties))
  /** When a property got its value. */
  const since = (name: string): Json => listOf(history[name])[0]?.timestamp ?? createdAt
  const { lifecyclestage, hubspot_owner_id } = properties
  if (['contacts', 'companies'].includes(kind.name) && lifecyclestage)
    Object.assign(properties, { [`hs_lifecyclestage_${lifecyclestage}_date`]: since('lifecyclestage') })
  if (hubspot_owner_id) Object.assign(properties, { hubspot_owner_assigneddate: since('hubspot_owner_id') })
  const id = properties[kind.stage]
  if (id) {
    const before = listOf(history[kind.stage])[1]?.value
    Object.assign(properties, { [`hs_v2_date_entered_${id}`]: since(kind.stage) })
    if (before) Object.assign(properties, { [`hs_v2_date_exited_${before}`]: since(kind.stage) })
  }
  const stage = stagesOf(hubspot, kind, properties).find((one) => one.id === id)
  const metadata = stage?.metadata === undefined ? undefined : fieldsOf(stage.metadata)
  return present({ ...properties, ...ownOf(hubspot, { ...object, properties }, metadata) })
}

/** What a line item has of its product, and its amount. */
function lineItem({ records }: Hubspot, own: Fields): Fields {
  const product = records.objects.find({ type: 'products', id: String(own.hs_product_id ?? '') })
  const copied = Object.entries(product?.properties ?? {}).filter(
    ([name]) => !/^(?:createdate|hubspot_|hs_(?!sku|recurring|cost|url|images))/.test(name),
  )
  const all: Fields = { ...Object.fromEntries(copied), ...present(own) }
  const number = (name: string, usual: number) => Number(all[name] ?? usual) || 0
  const price = (number('price', 0) - number('discount', 0)) * number('quantity', 1)
  const amount = Math.round(price * (100 - number('hs_discount_percentage', 0))) / 100
  return { ...all, amount: amount.toFixed(2).replace('.00', '') }
}

/** @param metadata of the object's stage */
function ownOf(
  { iso }: Hubspot,
  { id, type, properties: all, createdAt }: CrmObject,
  metadata: Fields | undefined,
): Fields {
  const sinceCreation = (time: unknown) => Math.max(Date.parse(String(time)) - Date.parse(createdAt), 0)
  const { hs_note_body, hs_call_body, hs_meeting_body, hs_task_body, hs_email_html, hs_email_text } = all
  const body = hs_note_body ?? hs_call_body ?? hs_meeting_body ?? hs_task_body ?? hs_email_html ?? hs_email_text
  const own: Readonly<Record<string, () => Fields>> = {
    contacts: () => ({
      ...{
        hs_all_contact_vids: id,
        hs_is_contact: 'true',
        hs_is_unworked: 'true',
        hs_pipeline: 'contacts-lifecycle-pipeline',
      },
      hs_full_name_or_email: [all.firstname, all.lastname].filter(Boolean).join(' ') || (all.email ?? null),
      ...(typeof all.email === 'string' && { hs_email_domain: all.email.split('@')[1] ?? null }),
    }),
    deals: () => {
      const { amount = null, closedate = metadata?.isClosed === 'true' ? iso : null } = all
      return {
        amount_in_home_currency: amount,
        ...(metadata && toDeal(metadata, amount)),
        ...(closedate !== null && {
          closedate,
          days_to_close: String(Math.floor(sinceCreation(closedate) / DAY_MS)),
        }),
      }
    },
    quotes: () => {
      if (!/^(APPROVAL_NOT_NEEDED|APPROVED)$/.test(String(all.hs_status))) return {}
      const { hs_quote_number = iso.replace(/[-:]|\.\d+Z$/g, '').replace('T', '-'), hs_slug = id } = all
      return { hs_quote_number, hs_slug, hs_quote_link: `https://backlot.example/quotes/${hs_slug}`, hs_locked: 'true' }
    },
    tasks: () => {
      const isDone = all.hs_task_status === 'COMPLETED'
      const hs_task_completion_date = isDone ? (all.hs_task_completion_date ?? iso) : null
      return { hs_task_is_completed: String(isDone), hs_task_completion_date }
    },
    tickets: () => {
      const kept = all.closed_date ?? null
      const closed_date = metadata === undefined ? kept : metadata.ticketState === 'CLOSED' ? (kept ?? iso) : null
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
    ...own[type]?.(),
  }
}

/** What the stage of a deal makes of it. */
function toDeal({ isClosed = 'false', probability }: Fields, amount: Json): Fields {
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

/** The objects that one is associated with, the newest association first. */
export const linkedTo = ({ records }: Hubspot, id: string): CrmObject[] =>
  records.associations.where({ from_id: id }).flatMap(({ to_id }) => records.objects.get(valueText(to_id ?? '')) ?? [])

/** The id of the primary company of a record. */
export const primaryOf = ({ records }: Hubspot, from_id: string): Json | undefined =>
  records.associations
    .where({ from_id, to_type: 'companies' })
    .find(({ types }) => listOf(types).some(({ label }) => label === 'Primary'))?.to_id

/** The parent of a company, and how many children it has. */
function familyOf({ records }: Hubspot, from_id: string): Fields {
  const labelled = (wanted: string) =>
    records.associations
      .where({ from_id, to_type: 'companies' })
      .filter(({ types }) => listOf(types).some(({ label }) => label === wanted))
  const children = labelled('Child Company').length
  const hs_parent_company_id = labelled('Parent Company')[0]?.to_id ?? null
  return { hs_parent_company_id, hs_num_child_companies: children === 0 ? null : String(children) }
}

/** Sets the properties of an object that follow from the objects that it is associated with. */
export function countLinks(hubspot: Hubspot, { id }: CrmObject): void {
  const { records } = hubspot
  const object = records.objects.get(id)
  if (object === undefined || !WITH_ACTIVITIES.includes(object.type)) return
  const primary = object.type === 'contacts' && { associatedcompanyid: primaryOf(hubspot, id) ?? null }
  const family = object.type === 'companies' && familyOf(hubspot, id)
  const properties = present({
    ...object.properties,
    ...rolledUp(hubspot, object.type, linkedTo(hubspot, id)),
    ...primary,
    ...family,
  })
  records.objects.update(object, { properties })
}

/** The amounts of line items together. */
const sumOf = (objects: readonly CrmObject[]): string | null => {
  const lines = objects.filter(({ type }) => type === 'line_items')
  return lines.length === 0 ? null : String(lines.reduce((sum, { properties: { amount } }) => sum + Number(amount), 0))
}

/** @param linked the newest first */
function rolledUp({ iso }: Hubspot, type: string, linked: readonly CrmObject[]): Fields {
  const others = linked.filter(({ archived }) => !archived)
  if (type === 'quotes') return { hs_quote_amount: sumOf(others) }
  const named = (...types: string[]) => others.filter((one) => types.includes(one.type)).map((one) => one.properties)
  const [contacting, deals] = [named(...CONTACTED), named('deals')]
  const activities = [...contacting, ...named('notes')]
  const won = deals.filter(({ hs_is_closed_won: is }) => is === 'true')
  const recent = won.toSorted((a, b) => String(b.closedate).localeCompare(String(a.closedate)))[0]
  const planned = named('meetings', 'tasks')
    .filter(({ hs_timestamp: at, hs_task_status: status }) => valueText(at ?? '') > iso && status !== 'COMPLETED')
    .map(({ hs_timestamp: at = null }) => at)
  const [isDeal, isPerson] = [type === 'deals', type === 'contacts']
  return {
    num_notes: activities.length === 0 ? null : String(activities.length),
    num_contacted_notes: contacting.length === 0 ? null : String(contacting.length),
    notes_last_updated: latest(activities, 'hs_timestamp'),
    notes_last_contacted: latest(contacting, 'hs_timestamp'),
    notes_next_activity_date: planned.sort()[0] ?? null,
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

const latest = (records: readonly Fields[], name: string): string | null =>
  records
    .flatMap((one) => (typeof one[name] === 'string' ? [one[name]] : []))
    .sort()
    .at(-1) ?? null
