import { makeSecret } from '../../src/protocol/webhook-scheme/keys.ts'
import { getPreset } from '../../src/protocol/webhook-scheme/presets.ts'
import { type Fields, type Kept, type Operations, type SendGrid, type SendGridRequest, without } from './sendgrid.ts'

const SETTINGS = '/v3/user/webhooks/event/settings'

/** The fields of a webhook by which it asks for events, with their types. */
const EVENTS = {
  ...{ processed: 'processed', deferred: 'deferred', delivered: 'delivered', open: 'open', click: 'click' },
  ...{ bounce: 'bounce', dropped: 'dropped', spam_report: 'spamreport', unsubscribe: 'unsubscribe' },
  ...{ group_unsubscribe: 'group_unsubscribe', group_resubscribe: 'group_resubscribe' },
}
const FLAGS: Fields = Object.fromEntries(Object.keys(EVENTS).map((name) => [name, false]))
const HOOK = { enabled: true, url: '', friendly_name: '', ...FLAGS }

const toHook = (hook: Kept): Fields => ({
  ...without(hook, 'is_test secret types signed public_key'),
  ...(hook.signed === true && { public_key: hook.public_key }),
})

const toSigned = ({ id, signed, public_key = '' }: Kept): Fields => ({
  id,
  public_key: signed === true ? public_key : '',
})

/** The webhooks of users, the oldest first. */
const hooksOf = ({ records }: SendGrid): Kept[] => records.event_webhooks.where({ is_test: false }).toReversed()

/** Keys to sign with. */
function newKeys(sendgrid: SendGrid): Fields {
  const { secret, publicKey } = makeSecret(getPreset('sendgrid').scheme, (bytes) => sendgrid.hex(2 * bytes))
  return { secret, public_key: publicKey ?? '' }
}

/** Sets what a request says of a webhook, and the types that it gets. */
function change(sendgrid: SendGridRequest, hook: Kept): Fields {
  const fields = sendgrid.sent(HOOK)
  const changed: Fields = { ...hook, ...fields }
  const types = Object.entries(EVENTS).flatMap(([name, type]) => (changed[name] === true ? [type] : []))
  return toHook(sendgrid.records.event_webhooks.update(hook, { ...fields, types, updated_date: sendgrid.time }))
}

function create(sendgrid: SendGridRequest): Fields {
  const fields = { ...newKeys(sendgrid), created_date: sendgrid.time }
  return change(sendgrid, sendgrid.records.event_webhooks.create(fields))
}

const sign = (sendgrid: SendGridRequest, hook: Kept): Fields =>
  toSigned(sendgrid.records.event_webhooks.update(hook, { signed: sendgrid.body.enabled === true }))

/** Sends one event of each type to an address, or to all webhooks. */
function test(sendgrid: SendGridRequest): object {
  const { event_webhooks, happenings } = sendgrid.records
  const { url } = sendgrid.sent({ url: '' })
  const aim =
    url &&
    (event_webhooks.find({ url, is_test: true }) ??
      event_webhooks.create({ url, is_test: true, types: ['test'], ...newKeys(sendgrid) }))
  for (const event of Object.values(without(EVENTS, 'group_resubscribe')))
    happenings.create({
      ...(aim ? { type: 'test', only: (aim as Kept).id } : { type: event }),
      payload: {
        ...{ email: 'example@test.com', timestamp: sendgrid.unix, 'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>' },
        ...{ event, category: ['cat facts'], sg_event_id: sendgrid.letters(22) },
        sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
      },
    })
  return sendgrid.empty
}

const PARSE = { hostname: '', url: '', spam_check: false, send_raw: false }

export const webhooks: Operations = {
  [`POST ${SETTINGS}`]: (sendgrid) => {
    sendgrid.need('url')
    return create(sendgrid)
  },
  [`GET ${SETTINGS}`]: (sendgrid) => {
    const [oldest] = hooksOf(sendgrid)
    return oldest === undefined ? { enabled: false, url: '', ...FLAGS } : toHook(oldest)
  },
  [`PATCH ${SETTINGS}`]: (sendgrid) => {
    const [oldest] = hooksOf(sendgrid)
    return oldest === undefined ? create(sendgrid) : change(sendgrid, oldest)
  },
  [`GET ${SETTINGS}/all`]: (sendgrid) => ({ max_allowed: 5, webhooks: hooksOf(sendgrid).map(toHook) }),
  [`GET ${SETTINGS}/{id}`]: (sendgrid) => toHook(sendgrid.find('event_webhooks')),
  [`PATCH ${SETTINGS}/{id}`]: (sendgrid) => change(sendgrid, sendgrid.find('event_webhooks')),
  [`DELETE ${SETTINGS}/{id}`]: (sendgrid) => sendgrid.remove('event_webhooks'),
  [`GET ${SETTINGS}/signed`]: (sendgrid) => toSigned(hooksOf(sendgrid)[0] ?? sendgrid.gone()),
  [`PATCH ${SETTINGS}/signed`]: (sendgrid) => sign(sendgrid, hooksOf(sendgrid)[0] ?? sendgrid.gone()),
  [`GET ${SETTINGS}/signed/{id}`]: (sendgrid) => toSigned(sendgrid.find('event_webhooks')),
  [`PATCH ${SETTINGS}/signed/{id}`]: (sendgrid) => sign(sendgrid, sendgrid.find('event_webhooks')),
  'POST /v3/user/webhooks/event/test': test,
  'POST /v3/user/webhooks/parse/settings': (sendgrid) => {
    sendgrid.need('hostname url')
    return sendgrid.records.parse_settings.create(sendgrid.sent(PARSE))
  },
  'GET /v3/user/webhooks/parse/settings': ({ records }) => ({ result: [...records.parse_settings] }),
  'GET /v3/user/webhooks/parse/settings/{hostname}': (sendgrid) => sendgrid.find('parse_settings'),
  'PATCH /v3/user/webhooks/parse/settings/{hostname}': (sendgrid) =>
    sendgrid.change('parse_settings', without(sendgrid.sent(PARSE), 'hostname')),
  'DELETE /v3/user/webhooks/parse/settings/{hostname}': (sendgrid) => sendgrid.remove('parse_settings'),
}
