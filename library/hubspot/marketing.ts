import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import { isJsonObject, type JsonObject } from '../../src/protocol/json.ts'
import { listOf } from '../openai/context.ts'

type Kept = JsonObject & { readonly id: string }
type Names = 'email_subscriptions' | 'forms' | 'sent_emails' | 'timeline_events'
type Context = OperationContext<AnyOperation, Record<Names | 'objects', Kept>>

/** Subscription types of a new account, by id. */
const DEFINITIONS = [
  { id: '1', name: 'Marketing Information', purpose: 'Marketing', description: 'Marketing offers and updates.' },
  { id: '2', name: 'Customer Service Communication', purpose: 'Customer Service', description: 'Feedback requests.' },
  { id: '3', name: 'One to One', purpose: 'Sales', description: 'One to One emails' },
]
const CREATED = '2024-01-01T00:00:00.000Z'

const require = (context: Context, ...names: string[]): void => {
  const lacking = names.filter((name) => (context.body[name] ?? '') === '')
  if (lacking.length === 0) return
  const message = `Invalid input JSON on line 1, column 2. Some required fields were not set: [${lacking.join(', ')}]`
  context.refuse(400, { code: 'invalid', message })
}

const find = (context: Context, collection: Names, id: unknown): Kept =>
  context.records[collection].get(String(id)) ?? context.refuse(404, { code: 'missing' })

function subscriptionOf(
  { records }: Context,
  email: string,
  { id, name, description }: (typeof DEFINITIONS)[number],
): JsonObject {
  const kept = records.email_subscriptions.find({ email, subscription: id })
  const { status = 'NOT_SUBSCRIBED', legalBasis = null, legalBasisExplanation = null }: JsonObject = kept ?? {}
  return {
    ...{ id, name, description, status, legalBasis, legalBasisExplanation },
    ...{ sourceOfStatus: 'SUBSCRIPTION_STATUS', brandId: null, preferenceGroupName: null },
  }
}

const subscribe = (status: string) => (context: Context) => {
  require(context, 'emailAddress', 'subscriptionId')
  const { emailAddress, subscriptionId, legalBasis = null, legalBasisExplanation = null } = context.body
  const email = String(emailAddress).toLowerCase()
  const definition = DEFINITIONS.find(({ id }) => id === String(subscriptionId))
  if (definition === undefined)
    return context.refuse(400, { code: 'invalid', message: `Subscription ID ${subscriptionId} does not exist` })
  const { email_subscriptions: kept } = context.records
  const known = kept.find({ email, subscription: definition.id })
  if (known?.status === status) {
    const message = `${email} is already ${status === 'SUBSCRIBED' ? 'subscribed to' : 'unsubscribed from'} subscription ${definition.id}`
    return context.refuse(400, { code: 'invalid', message })
  }
  const facts = { email, subscription: definition.id, status, legalBasis, legalBasisExplanation }
  if (known === undefined) kept.create(facts)
  else kept.update(known, facts)
  return subscriptionOf(context, email, definition)
}

function timelineEvent(context: Context, given: JsonObject): JsonObject {
  const { email = null, objectId } = given
  const person =
    email === null
      ? undefined
      : context.records.objects.find(
          ({ properties }) => isJsonObject(properties) && properties.email === String(email).toLowerCase(),
        )
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
    require(context, 'emailId', 'message')
    const { body, now, records } = context
    if (!isJsonObject(body.message) || !/^\S+@\S+$/.test(String(body.message.to)))
      return context.refuse(400, { code: 'invalid', message: 'message.to must be an email address' })
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
    require(context, 'email')
    const { email } = context.body
    const claims = { email, iat: Math.floor(context.now.getTime() / 1_000) }
    return {
      token: ['{"alg":"HS256"}', JSON.stringify(claims), 'backlot']
        .map((part) => Buffer.from(part).toString('base64url'))
        .join('.'),
    }
  },
  'POST /events/v3/send': (context: Context) => {
    require(context, 'eventName')
    return context.respond({ status: 204 })
  },
  'POST /integrators/timeline/v3/events': (context: Context) => {
    require(context, 'eventTemplateId')
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
    require(context, 'name', 'formType')
    return context.records.forms.create({ ...context.body, createdAt: context.now.toISOString() })
  },
  'GET /marketing/v3/forms/{formId}': (context: Context) => find(context, 'forms', context.path.formId),
  'PATCH /marketing/v3/forms/{formId}': (context: Context) =>
    context.records.forms.update(find(context, 'forms', context.path.formId), {
      ...context.body,
      updatedAt: context.now.toISOString(),
    }),
  'DELETE /marketing/v3/forms/{formId}': (context: Context) => {
    context.records.forms.remove(find(context, 'forms', context.path.formId))
    return context.respond({ status: 204 })
  },
}
