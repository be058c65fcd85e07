import { valueText } from '../../src/protocol/json.ts'
import {
  ACCOUNT,
  type Fields,
  type Form,
  fieldsOf,
  type HubspotRequest,
  isMissing,
  type Kept,
  listOf,
  type Operations,
  without,
} from './hubspot.ts'
import { contactCalled } from './objects.ts'

/** Subscription types of a new account, by id. */
const DEFINITIONS = [
  { id: '1', name: 'Marketing Information', purpose: 'Marketing', description: 'Marketing offers and updates.' },
  { id: '2', name: 'Customer Service Communication', purpose: 'Customer Service', description: 'Feedback requests.' },
  { id: '3', name: 'One to One', purpose: 'Sales', description: 'One to One emails' },
]
const FORM: Form = { name: 'text', formType: 'text', archived: 'flag', fieldGroups: 'list' }
const EVENTS = { usual: 100, most: 100 }
const CREATED = '2024-01-01T00:00:00.000Z'

function subscriptionOf({ records }: HubspotRequest, email: string, definition: (typeof DEFINITIONS)[number]): Fields {
  const { id, name, description } = definition
  const kept = records.email_subscriptions.find({ email, subscription: id })
  const { status = 'NOT_SUBSCRIBED', legalBasis = null, legalBasisExplanation = null }: Fields = kept ?? {}
  return {
    ...{ id, name, description, status, legalBasis, legalBasisExplanation },
    ...{ sourceOfStatus: 'SUBSCRIPTION_STATUS', brandId: null, preferenceGroupName: null },
  }
}

const subscribe = (status: string) => (hubspot: HubspotRequest) => {
  hubspot.need('emailAddress subscriptionId')
  const { emailAddress, subscriptionId, legalBasis = null, legalBasisExplanation = null } = hubspot.body
  const email = String(emailAddress).toLowerCase()
  const definition = DEFINITIONS.find(({ id }) => id === String(subscriptionId))
  if (definition === undefined) return hubspot.invalid(`Subscription ID ${subscriptionId} does not exist`)
  const { email_subscriptions: kept } = hubspot.records
  const known = kept.find({ email, subscription: definition.id })
  const how = status === 'SUBSCRIBED' ? 'subscribed to' : 'unsubscribed from'
  if (known?.status === status) hubspot.invalid(`${email} is already ${how} subscription ${definition.id}`)
  const facts = { email, subscription: definition.id, status, legalBasis, legalBasisExplanation }
  if (known === undefined) kept.create(facts)
  else kept.update(known, facts)
  return subscriptionOf(hubspot, email, definition)
}

/** @param given may have an id of its own */
function timelineEvent(hubspot: HubspotRequest, given: Fields): Fields {
  const { records, iso } = hubspot
  hubspot.need('eventTemplateId', given)
  const { email = null, objectId, id = hubspot.letters(24) } = given
  const { timeline_events: events } = records
  if (events.get(String(id)) !== undefined) hubspot.conflict(`An event with the id ${id} exists already`)
  const person = contactCalled(hubspot, email)
  const facts = { objectType: 'contacts', email, objectId: objectId ?? person?.id ?? null, tokens: {}, timestamp: iso }
  return events.create({ ...facts, ...given, id: String(id), createdAt: iso })
}

/** Keeps an event of a record, which its id or its email names. */
function occur(hubspot: HubspotRequest, given: Fields): void {
  hubspot.need('eventName', given)
  const { eventName = null, email = '', objectId, occurredAt = hubspot.iso, properties = {} } = given
  const { records } = hubspot
  const known = isMissing(objectId) ? contactCalled(hubspot, email) : records.objects.get(String(objectId))
  if (isMissing(objectId) && isMissing(email) && isMissing(given.utk))
    hubspot.invalid('An event needs one of objectId, email and utk')
  const objectType = known === undefined ? 'CONTACT' : hubspot.kindOf(known).singular.toUpperCase()
  const of = { objectType, objectId: known?.id ?? String(objectId ?? '') }
  records.events.create({ eventType: eventName, ...of, occurredAt, properties })
}

const definitionOf = (hubspot: HubspotRequest): Kept =>
  hubspot.records.event_definitions.find(({ name, fullyQualifiedName }) =>
    [name, fullyQualifiedName].includes(hubspot.path.eventName),
  ) ?? hubspot.missing()

const TEMPLATE = '/integrators/timeline/v3/{appId}/event-templates/{eventTemplateId}'

const toTemplate = (template: Kept): Fields => without(template, 'appId')
const templateOf = (hubspot: HubspotRequest): Kept => hubspot.find('event_templates', hubspot.path.eventTemplateId)
const changeTemplate = (hubspot: HubspotRequest, fields: Fields): Kept =>
  hubspot.records.event_templates.update(templateOf(hubspot), { ...fields, updatedAt: hubspot.iso })

export const marketing: Operations = {
  'GET /communication-preferences/v3/definitions': () => ({
    subscriptionDefinitions: DEFINITIONS.map((one) => ({
      ...one,
      ...{ isActive: true, isDefault: true, isInternal: false, communicationMethod: 'Email' },
      ...{ createdAt: CREATED, updatedAt: CREATED },
    })),
  }),
  'GET /communication-preferences/v3/status/email/{emailAddress}': (hubspot) => {
    const recipient = String(hubspot.path.emailAddress).toLowerCase()
    return { recipient, subscriptionStatuses: DEFINITIONS.map((one) => subscriptionOf(hubspot, recipient, one)) }
  },
  'POST /communication-preferences/v3/subscribe': subscribe('SUBSCRIBED'),
  'POST /communication-preferences/v3/unsubscribe': subscribe('NOT_SUBSCRIBED'),
  'POST /marketing/v3/transactional/single-email/send': (hubspot) => {
    hubspot.need('emailId message')
    const { body, iso: requestedAt, records } = hubspot
    if (!/^\S+@\S+$/.test(String(fieldsOf(body.message).to))) hubspot.invalid('message.to must be an email address')
    const { id: statusId } = records.sent_emails.create({ ...body, requestedAt })
    return { requestedAt, statusId, status: 'PENDING' }
  },
  'GET /marketing/v3/email/send-statuses/{statusId}': (hubspot) => {
    const { id: statusId, requestedAt } = hubspot.find('sent_emails', hubspot.path.statusId)
    const facts = { status: 'COMPLETE', sendResult: 'SENT', eventId: { id: statusId, created: requestedAt } }
    return { ...facts, statusId, requestedAt, startedAt: requestedAt, completedAt: requestedAt }
  },
  'POST /visitor-identification/v3/tokens/create': (hubspot) => {
    hubspot.need('email')
    const { email } = hubspot.body
    const claims = { email, iat: Math.floor(hubspot.ms / 1_000) }
    const parts = ['{"alg":"HS256"}', JSON.stringify(claims), 'backlot']
    return { token: parts.map((part) => Buffer.from(part).toString('base64url')).join('.') }
  },
  'POST /events/v3/send': (hubspot) => occur(hubspot, hubspot.body),
  'POST /events/v3/send/batch': (hubspot) => {
    for (const one of hubspot.parts()) occur(hubspot, one)
  },
  'GET /events/v3/events': (hubspot) => {
    const { eventType, objectId, objectType, occurredAfter = '', occurredBefore = '~' } = hubspot.query
    const type = hubspot.kindCalled(objectType)?.singular.toUpperCase()
    if (objectType !== undefined && type === undefined)
      hubspot.invalid(`Unable to infer object type from: ${objectType}`)
    const events = [...hubspot.records.events].filter(
      (one) =>
        (eventType === undefined || one.eventType === eventType) &&
        (objectId === undefined || one.objectId === String(objectId)) &&
        (type === undefined || one.objectType === type) &&
        String(one.occurredAt) > String(occurredAfter) &&
        String(one.occurredAt) < String(occurredBefore),
    )
    return hubspot.list(events, EVENTS, (event) => event)
  },
  'GET /events/v3/event-definitions': (hubspot) =>
    hubspot.list(hubspot.having('event_definitions', {}), EVENTS, (one) => one),
  'POST /events/v3/event-definitions': (hubspot) => {
    hubspot.need('label primaryObject')
    const { label = '', name, description, primaryObject = '', propertyDefinitions } = hubspot.body
    const own = valueText(name ?? valueText(label).toLowerCase().replaceAll(/\W+/g, '_'))
    const { event_definitions: definitions } = hubspot.records
    if (definitions.some({ name: own })) hubspot.taken(`An event named ${own} already exists`)
    const kind = hubspot.kindCalled(primaryObject)
    return definitions.create({
      ...{ id: `6-${hubspot.digits(7)}`, name: own, fullyQualifiedName: `pe${ACCOUNT.portalId}_${own}` },
      ...{ labels: { singular: label, plural: null }, description: description ?? null, status: 'ACTIVE' },
      ...{ primaryObject, primaryObjectId: kind?.id ?? null, properties: listOf(propertyDefinitions) },
      createdAt: hubspot.iso,
    })
  },
  'GET /events/v3/event-definitions/{eventName}': (hubspot) => definitionOf(hubspot),
  'DELETE /events/v3/event-definitions/{eventName}': (hubspot) => {
    hubspot.records.event_definitions.remove(definitionOf(hubspot))
  },
  'GET /integrators/timeline/v3/{appId}/event-templates': (hubspot) => ({
    results: hubspot.having('event_templates', { appId: hubspot.path.appId ?? '' }).map(toTemplate),
  }),
  'POST /integrators/timeline/v3/{appId}/event-templates': (hubspot) => {
    hubspot.need('name objectType tokens')
    const { body, iso, path, records } = hubspot
    const times = { createdAt: iso, updatedAt: iso }
    const tokens = hubspot.parts('tokens').map((token) => ({ options: [], ...token, ...times }))
    return toTemplate(records.event_templates.create({ ...body, appId: path.appId ?? '', tokens, ...times }))
  },
  [`GET ${TEMPLATE}`]: (hubspot) => toTemplate(templateOf(hubspot)),
  [`PUT ${TEMPLATE}`]: (hubspot) => toTemplate(changeTemplate(hubspot, without(hubspot.body, 'id'))),
  [`DELETE ${TEMPLATE}`]: (hubspot) => {
    hubspot.records.event_templates.remove(templateOf(hubspot))
  },
  [`POST ${TEMPLATE}/tokens`]: (hubspot) => {
    hubspot.need('name label type')
    const token = { options: [], ...hubspot.body, createdAt: hubspot.iso, updatedAt: hubspot.iso }
    changeTemplate(hubspot, { tokens: [...listOf(templateOf(hubspot).tokens), token] })
    return token
  },
  [`PUT ${TEMPLATE}/tokens/{tokenName}`]: (hubspot) => {
    const tokens = listOf(templateOf(hubspot).tokens)
    const token = tokens.find(({ name }) => name === hubspot.path.tokenName) ?? hubspot.missing()
    const changed = { ...token, ...hubspot.body, updatedAt: hubspot.iso }
    changeTemplate(hubspot, { tokens: tokens.map((one) => (one === token ? changed : one)) })
    return changed
  },
  [`DELETE ${TEMPLATE}/tokens/{tokenName}`]: (hubspot) => {
    const tokens = listOf(templateOf(hubspot).tokens).filter(({ name }) => name !== hubspot.path.tokenName)
    changeTemplate(hubspot, { tokens })
  },
  'POST /integrators/timeline/v3/events': (hubspot) => timelineEvent(hubspot, hubspot.body),
  'POST /integrators/timeline/v3/events/batch/create': (hubspot) =>
    hubspot.batch(hubspot.parts().map((one) => timelineEvent(hubspot, one))),
  'GET /integrators/timeline/v3/events/{eventTemplateId}/{eventId}': (hubspot) =>
    hubspot.find('timeline_events', hubspot.path.eventId),
  'GET /marketing/v3/forms': ({ records }) => ({ results: [...records.forms].toReversed() }),
  'POST /marketing/v3/forms': (hubspot) => {
    hubspot.need('name formType')
    return hubspot.records.forms.create({ ...hubspot.body, ...hubspot.sent(FORM), createdAt: hubspot.iso })
  },
  'GET /marketing/v3/forms/{formId}': (hubspot) => hubspot.find('forms', hubspot.path.formId),
  'PATCH /marketing/v3/forms/{formId}': (hubspot) => {
    const change = { ...hubspot.body, ...hubspot.sent(FORM), updatedAt: hubspot.iso }
    return hubspot.records.forms.update(hubspot.find('forms', hubspot.path.formId), change)
  },
  'DELETE /marketing/v3/forms/{formId}': (hubspot) => {
    hubspot.records.forms.remove(hubspot.find('forms', hubspot.path.formId))
  },
}
