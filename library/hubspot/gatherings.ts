/** Marketing events, and who comes: https://developers.hubspot.com/docs/api/marketing/marketing-events */
import {
  type Fields,
  fieldsOf,
  type HubspotRequest,
  type Json,
  type Kept,
  type Operations,
  without,
} from './hubspot.ts'
import { contactCalled } from './objects.ts'

const PAGE = { usual: 10, most: 100 }
const ROOT = '/marketing/v3/marketing-events'
const ONE = `${ROOT}/events/{externalEventId}`
/** Counters of an event, by the states of people. */
const COUNTED: Fields = { register: 'registrants', attend: 'attendees', cancel: 'cancellations' }

/** An event as answers show it, with its counters. */
function toEvent({ id: objectId, people, ...event }: Kept): Fields {
  const states = Object.values(fieldsOf(people))
  const counts = Object.entries(COUNTED).map(([state, name]) => [name, states.filter((one) => one === state).length])
  const noShows = event.eventCompleted === true ? states.filter((one) => one === 'register').length : 0
  return { ...without(event, 'externalAccountId'), id: objectId, objectId, ...Object.fromEntries(counts), noShows }
}

function known({ records, path, query, body }: HubspotRequest): Kept | undefined {
  const externalAccountId = query.externalAccountId ?? body.externalAccountId ?? ''
  const externalEventId = path.externalEventId ?? body.externalEventId ?? ''
  return records.marketing_events.find({ externalAccountId, externalEventId })
}

const eventOf = (hubspot: HubspotRequest): Kept => known(hubspot) ?? hubspot.missing()

const change = (hubspot: HubspotRequest, event: Kept, fields: Fields): Fields =>
  toEvent(hubspot.records.marketing_events.update(event, { ...fields, updatedAt: hubspot.iso }))

function create(hubspot: HubspotRequest): Fields {
  const { body, iso, path, records } = hubspot
  hubspot.need('eventName eventOrganizer externalAccountId')
  const own = { externalEventId: path.externalEventId ?? body.externalEventId ?? '', createdAt: iso, updatedAt: iso }
  const usual = { eventCancelled: false, eventCompleted: false, customProperties: [] }
  return toEvent(records.marketing_events.create({ id: hubspot.digits(9), people: {}, ...usual, ...body, ...own }))
}

/** Keeps what people do: those whose email or id the body has. */
function record(hubspot: HubspotRequest): Fields[] {
  const state = hubspot.path.subscriberState ?? ''
  if (COUNTED[state] === undefined) hubspot.invalid('The state must be one of register, attend and cancel')
  const event = eventOf(hubspot)
  const results = hubspot.parts().map(({ vid: given, email: address }) => {
    const email = String(address ?? '').toLowerCase()
    const contact = given === undefined ? contactCalled(hubspot, email) : hubspot.records.objects.get(String(given))
    const vid: Json = contact === undefined ? (given ?? null) : Number(contact.id)
    return { vid, ...(address !== undefined && { email }) }
  })
  const people = Object.fromEntries(results.map(({ vid, email }) => [String(email ?? vid), state]))
  change(hubspot, event, { people: { ...fieldsOf(event.people), ...people } })
  return results
}

const attend = (hubspot: HubspotRequest): object => hubspot.batch(record(hubspot))

const setState = (hubspot: HubspotRequest): void => {
  record(hubspot)
}

export const gatherings: Operations = {
  [`GET ${ROOT}`]: (hubspot) => hubspot.list(hubspot.having('marketing_events', {}), PAGE, toEvent),
  [`POST ${ROOT}/events`]: (hubspot) => {
    if (known(hubspot)) hubspot.conflict(`A marketing event with the id ${hubspot.body.externalEventId} exists already`)
    return create(hubspot)
  },
  [`GET ${ONE}`]: (hubspot) => toEvent(eventOf(hubspot)),
  [`PUT ${ONE}`]: (hubspot) => {
    const event = known(hubspot)
    return event === undefined ? create(hubspot) : change(hubspot, event, hubspot.body)
  },
  [`PATCH ${ONE}`]: (hubspot) => change(hubspot, eventOf(hubspot), hubspot.body),
  [`DELETE ${ONE}`]: (hubspot) => {
    hubspot.records.marketing_events.remove(eventOf(hubspot))
  },
  [`POST ${ONE}/cancel`]: (hubspot) => change(hubspot, eventOf(hubspot), { eventCancelled: true }),
  [`POST ${ONE}/complete`]: (hubspot) => change(hubspot, eventOf(hubspot), { ...hubspot.body, eventCompleted: true }),
  [`POST ${ROOT}/attendance/{externalEventId}/{subscriberState}/email-create`]: attend,
  [`POST ${ROOT}/attendance/{externalEventId}/{subscriberState}/create`]: attend,
  [`POST ${ONE}/{subscriberState}/email-upsert`]: setState,
  [`POST ${ONE}/{subscriberState}/upsert`]: setState,
}
