import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import { type Fields, fieldsOf, type Kept, listOf } from '../shared/values.ts'

type Names = 'email_subscriptions' | 'forms' | 'sent_emails' | 'timeline_events'
type Context = OperationContext<AnyOperation, Record<Names | 'objects', Kept>>

/** Subscription types of a new account, by id. */
const DEFINITIONS = [
  { id: '1', name: 'Marketing Information', purpose: 'Marketing', description: 'Marketing offers and updates.' },
  { id: '2', name: 'Customer Service Communication', purpose: 'Customer Service', description: 'Feedback requests.' },
  { id: '3', name: 'One to One', purpose: 'Sales', description: 'One to One emails' },
]
const CREATED = '2024-01-01T00:00:00.000Z'

const invalid = (context: Context, message: string): never => context.refuse(400, { code: 'invalid', message })

const need = (context: Context, ...names: string[]): void => {
  const lacking = names.filter((name) => (context.body[name] ?? '') === '').join(', ')
  if (lacking !== '')
    invalid(context, `Invalid input JSON on line 1, column 2. Some required fields were not set: [${lacking}]`)
}

const find = (context: Context, collection: Names, id: unknown): Kept =>
  context.records[collection].get(String(id)) ?? context.refuse(404, { code: 'missing' })

function subscriptionOf({ records }: Context, email: string, definition: (typeof DEFINITIONS)[number]): Fields {
  const { id, name, description } = definition
  const kept = records.email_subscriptions.find({ email, subscription: id })
  const { status = 'NOT_SUBSCRIBED', legalBasis = null, legalBasisExplanation = null }: Fields = kept ?? {}
  return {
    ...{ id, name, description, status, legalBasis, legalBasisExplanation },
    ...{ sourceOfStatus: 'SUBSCRIPTION_STATUS', brandId: null, preferenceGroupName: null },
  }
}

const subscribe = (status: string) => (context: Context) => {
  need(context, 'emailAddress', 'subscriptionId')
  const { emailAddress, subscriptionId, legalBasis = null, legalBasisExplanation = null } = context.body
  const email = String(emailAddress).toLowerCase()
  const definition = DEFINITIONS.find(({ id }) => id === String(subscriptionId))
  if (definition === undefined) return invalid(context, `Subscription ID ${subscriptionId} does not exist`)
  const { email_subscriptions: kept } = context.records
  const known = kept.find({ email, subscription: definition.id })
  const how = status === 'SUBSCRIBED' ? 'subscribed to' : 'unsubscribed from'
  if (known?.status === status) invalid(context, `${email} is already ${how} subscription ${definition.id}`)
  const facts = { email, subscription: definition.id, status, legalBasis, legalBasisExplanation }
  if (known === undefined) kept.create(facts)
  else kept.update(known, facts)
  return subscriptionOf(context, email, definition)
}

function timelineEvent(context: Context, given: Fields): Fields {
  const { email = null, objectId } = given
  const isNamed = ({ properties }: Kept): boolean => fieldsOf(properties).email === String(email).toLowerCase()
  const person = email === null ? undefined : context.records.objects.find(isNamed)
  const now = context.now.toISOString()
  const facts = { objectType: 'contacts', email, objectId: objectId ?? person?.id ?? null, tokens: {}, timestamp: now }
  return context.records.timeline_events.create({ ...facts, ...given, createdAt: now })
}

export const marketing = {
  'GET /communication-preferences/v3/definitions': () => ({
    subscriptionDefinitions: DEFINITIONS.map((one) => ({
      ...one,
      ...{ isActive: true, isDefault: true, isInternal: false, communicationMethod: 'Email' },
      ...{ createdAt: CREATED, updatedAt: CREATED },
    })),
  }),
  'GET /communication-preferences/v3/status/email/{emailAddress}': (context: Context) => {
    const recipient = String(context.path.emailAddress).toLowerCase()
    return { recipient, subscriptionStatuses: DEFINITIONS.map((one) => subscriptionOf(context, recipient, one)) }
  },
  'POST /communication-preferences/v3/subscribe': subscribe('SUBSCRIBED'),
  'POST /communication-preferences/v3/unsubscribe': subscribe('NOT_SUBSCRIBED'),
  'POST /marketing/v3/transactional/single-email/send': (context: Context) => {
    need(context, 'emailId', 'message')
    const { body, now, records } = context
    if (!/^\S+@\S+$/.test(String(fieldsOf(body.message).to))) invalid(context, 'message.to must be an email address')
    const requestedAt = now.toISOString()
    const { id: statusId } = records.sent_emails.create({ ...body, requestedAt })
    return { requestedAt, statusId, status: 'PENDING' }
  },
  'GET /marketing/v3/email/send-statuses/{statusId}': (context: Context) => {
    const { id: statusId, requestedAt } = find(context, 'sent_emails', context.path.statusId)
    const times = { requestedAt, startedAt: requestedAt, completedAt: requestedAt }
    return {
      ...times,
      statusId,
      status: 'COMPLETE',
      sendResult: 'SENT',
      eventId: { id: statusId, created: requestedAt },
    }
  },
  'POST /visitor-identification/v3/tokens/create': (context: Context) => {
    need(context, 'email')
    const { email } = context.body
    const claims = { email, iat: Math.floor(context.now.getTime() / 1_000) }
    const parts = ['{"alg":"HS256"}', JSON.stringify(claims), 'backlot']
    return { token: parts.map((part) => Buffer.from(part).toString('base64url')).join('.') }
  },
  'POST /events/v3/send': (context: Context) => {
    need(context, 'eventName')
    return context.respond({ status: 204 })
  },
  'POST /integrators/timeline/v3/events': (context: Context) => {
    need(context, 'eventTemplateId')
    return timelineEvent(context, context.body)
  },
  'POST /integrators/timeline/v3/events/batch/create': (context: Context) => {
    const time = context.now.toISOString()
    const results = listOf(context.body.inputs).map((one) => timelineEvent(context, one))
    return { status: 'COMPLETE', results, startedAt: time, completedAt: time }
  },
  'GET /integrators/timeline/v3/events/{eventTemplateId}/{eventId}': (context: Context) =>
    find(context, 'timeline_events', context.path.eventId),
  'GET /marketing/v3/forms': ({ records }: Context) => ({ results: [...records.forms].toReversed() }),
  'POST /marketing/v3/forms': (context: Context) => {
    need(context, 'name', 'formType')
    return context.records.forms.create({ ...context.body, createdAt: context.now.toISOString() })
  },
  'GET /marketing/v3/forms/{formId}': (context: Context) => find(context, 'forms', context.path.formId),
  'PATCH /marketing/v3/forms/{formId}': (context: Context) => {
    const change = { ...context.body, updatedAt: context.now.toISOString() }
    return context.records.forms.update(find(context, 'forms', context.path.formId), change)
  },
  'DELETE /marketing/v3/forms/{formId}': (context: Context) => {
    context.records.forms.remove(find(context, 'forms', context.path.formId))
    return context.respond({ status: 204 })
  },
}
