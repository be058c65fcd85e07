import { valueText } from '../../src/protocol/json.ts'
import {
  type Fields,
  type Form,
  fieldsOf,
  type Kept,
  listOf,
  type Operations,
  only,
  operationsOf,
  type SendGrid,
  type SendGridRequest,
  textsOf,
  without,
} from './sendgrid.ts'

/** What a key may do that is made without scopes. */
const SCOPES = [
  ...['mail.send', 'mail.batch.create', 'mail.batch.read', 'mail_settings.read', 'tracking_settings.read'],
  ...['templates.create', 'templates.read', 'templates.update', 'templates.delete'],
  ...['marketing.read', 'marketing.automation.read', 'suppression.read', 'suppression.delete'],
  ...['asm.groups.create', 'asm.groups.read', 'asm.groups.suppressions.create'],
  ...['api_keys.create', 'api_keys.read', 'api_keys.update', 'api_keys.delete'],
  ...['user.profile.read', 'user.scheduled_sends.create'],
  ...['user.webhooks.event.settings.read', 'user.webhooks.event.settings.update'],
  ...['stats.read', 'categories.read', 'messages.read', 'whitelabel.create', 'whitelabel.read'],
  ...['validations.email.create', 'access_settings.whitelist.read', 'alerts.read', 'designs.read', 'ips.read'],
  ...['senders.read', 'subusers.read', 'teammates.read'],
]
/** Operations that a key needs no scope for. */
const UNCHECKED = /^\/v3\/(scopes|verified_senders)/

/** Refuses a key without a scope for the area of an operation, the first part of its path. */
export function checkScopes(sendgrid: SendGridRequest, path: string): void {
  const { apiKey } = sendgrid
  const area = path.split('/')[2]
  if (
    apiKey !== undefined &&
    !UNCHECKED.test(path) &&
    !textsOf(apiKey.scopes).some((one) => one.startsWith(`${area}.`))
  )
    sendgrid.refuse('access forbidden', undefined, 403)
}

const KEY = { name: '', scopes: [] }
const WEEK_S = 7 * 86_400

const toKey = (key: Kept): Fields => only(key, 'api_key_id name')
const toScoped = (key: Kept): Fields => only(key, 'api_key_id name scopes')

const apiKeys: Operations = {
  'POST /v3/api_keys': (sendgrid) => {
    sendgrid.need('name')
    const key = sendgrid.records.api_keys.create({
      ...{ api_key_id: sendgrid.letters(22), scopes: SCOPES, ...sendgrid.sent(KEY) },
      secret: `SG.${sendgrid.letters(22)}.${sendgrid.letters(43)}`,
    })
    return { api_key: key.secret, ...toScoped(key) }
  },
  'GET /v3/api_keys': (sendgrid) => ({ result: sendgrid.page([...sendgrid.records.api_keys].map(toKey)) }),
  'GET /v3/api_keys/{api_key_id}': (sendgrid) => toScoped(sendgrid.find('api_keys')),
  'PATCH /v3/api_keys/{api_key_id}': (sendgrid) => toKey(sendgrid.change('api_keys', sendgrid.sent({ name: '' }))),
  'PUT /v3/api_keys/{api_key_id}': (sendgrid) => toScoped(sendgrid.change('api_keys', sendgrid.sent(KEY))),
  'DELETE /v3/api_keys/{api_key_id}': (sendgrid) => sendgrid.remove('api_keys'),
  'GET /v3/scopes': ({ apiKey }) => ({ scopes: apiKey?.scopes ?? SCOPES }),
}

const PROFILE: Form = Object.fromEntries(
  'address address2 city company country first_name last_name phone state website zip'
    .split(' ')
    .map((name) => [name, '']),
)

/** Sets values of the setting that the path names, and answers all. */
function setValues(sendgrid: SendGridRequest, id: string | undefined, given: Fields): unknown {
  const { values } = sendgrid.find('settings', id)
  return sendgrid.records.settings.update(id, { values: { ...fieldsOf(values), ...given } }).values
}

const settingsOf = ({ records }: SendGrid, kind: string): Fields => ({
  result: records.settings
    .where({ kind })
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, title = null, values }) => {
      const { enabled = null } = fieldsOf(values)
      return { name: id, title, description: title, enabled }
    }),
})

const user: Operations = {
  'GET /v3/user/profile': ({ records }) => records.settings.get('profile')?.values,
  'PATCH /v3/user/profile': (sendgrid) => setValues(sendgrid, 'profile', sendgrid.sent(PROFILE)),
  'GET /v3/user/account': () => ({ type: 'free', reputation: 100 }),
  'GET /v3/user/email': () => ({ email: 'ada@shop.example' }),
  'GET /v3/user/username': () => ({ username: 'ada', user_id: 1 }),
  'GET /v3/user/credits': () => ({
    ...{ remain: 100, total: 100, overage: 0, used: 0 },
    ...{ last_reset: '2024-01-01', next_reset: '2024-02-01', reset_frequency: 'daily' },
  }),
  'GET /v3/mail_settings': (sendgrid) => settingsOf(sendgrid, 'mail'),
  'GET /v3/mail_settings/{id}': (sendgrid) => sendgrid.find('settings').values,
  'PATCH /v3/mail_settings/{id}': (sendgrid) => setValues(sendgrid, sendgrid.path.id, sendgrid.body),
  'GET /v3/tracking_settings': (sendgrid) => settingsOf(sendgrid, 'tracking'),
  'GET /v3/tracking_settings/{id}': (sendgrid) => sendgrid.find('settings').values,
  'PATCH /v3/tracking_settings/{id}': (sendgrid) => setValues(sendgrid, sendgrid.path.id, sendgrid.body),
}

const SENDER: Form = Object.fromEntries(
  'nickname from_email from_name reply_to reply_to_name address address2 state city zip country'
    .split(' ')
    .map((name) => [name, '']),
)

const toSender = (sender: Kept): Fields => without(sender, 'token')

const verifiedSenders: Operations = {
  'POST /v3/verified_senders': (sendgrid) => {
    sendgrid.need('nickname from_email reply_to address city country')
    const fields = { ...sendgrid.sent(SENDER), token: sendgrid.hex(32) }
    return toSender(sendgrid.records.verified_senders.create(fields))
  },
  'GET /v3/verified_senders': ({ records }) => ({
    results: records.verified_senders.where({}).map(toSender).toReversed(),
  }),
  'PATCH /v3/verified_senders/{id}': (sendgrid) => toSender(sendgrid.change('verified_senders', sendgrid.sent(SENDER))),
  'DELETE /v3/verified_senders/{id}': (sendgrid) => sendgrid.remove('verified_senders'),
  'POST /v3/verified_senders/resend/{id}': (sendgrid) => sendgrid.find('verified_senders') && sendgrid.empty,
  'GET /v3/verified_senders/verify/{token}': (sendgrid) => {
    const { verified_senders } = sendgrid.records
    verified_senders.update(verified_senders.find({ token: sendgrid.path.token }) ?? sendgrid.gone(), {
      verified: true,
    })
    return sendgrid.empty
  },
  'GET /v3/verified_senders/steps_completed': ({ records }) => ({
    results: { sender_verified: records.verified_senders.some({ verified: true }), domain_verified: false },
  }),
  'GET /v3/verified_senders/domains': () => ({ results: { soft_failures: [], hard_failures: [] } }),
}

const OWNER = {
  ...{ username: 'backlot', email: 'backlot@backlot.example', first_name: 'Test', last_name: 'User' },
  ...{ user_type: 'owner', is_admin: true },
}
const MATE = { email: '', scopes: [], is_admin: false }

const toMate = (mate: Kept): Fields => without(mate, 'pending token expiration_date')
const toInvited = (mate: Kept): Fields => only(mate, 'email token scopes is_admin expiration_date')

/** The invited teammate whose token the path has. */
const invitedIn = (sendgrid: SendGridRequest): Kept =>
  sendgrid.records.teammates.find({ token: sendgrid.path.token, pending: true }) ?? sendgrid.gone()

const teammates: Operations = {
  'POST /v3/teammates': (sendgrid) => {
    sendgrid.need('email')
    const { teammates } = sendgrid.records
    const fields = sendgrid.sent(MATE)
    const { email } = fields
    if (teammates.some({ email })) sendgrid.refuse('this email address was invited already', 'email')
    const expiration_date = sendgrid.unix + WEEK_S
    return toInvited(teammates.create({ ...fields, username: email, token: sendgrid.hex(32), expiration_date }))
  },
  'GET /v3/teammates': ({ records }) => ({
    result: [OWNER, ...records.teammates.where({ pending: false }).map(toMate).toReversed()],
  }),
  'GET /v3/teammates/pending': ({ records }) => ({
    result: records.teammates.where({ pending: true }).map(toInvited).toReversed(),
  }),
  'DELETE /v3/teammates/pending/{token}': (sendgrid) => {
    sendgrid.records.teammates.remove(invitedIn(sendgrid))
    return sendgrid.empty
  },
  'POST /v3/teammates/pending/{token}/resend': (sendgrid) => toInvited(invitedIn(sendgrid)),
  'GET /v3/teammates/{username}': (sendgrid) => toMate(sendgrid.find('teammates')),
  'PATCH /v3/teammates/{username}': (sendgrid) =>
    toMate(sendgrid.change('teammates', without(sendgrid.sent(MATE), 'email'))),
  'DELETE /v3/teammates/{username}': (sendgrid) => sendgrid.remove('teammates'),
}

const SUBUSER = { username: '', email: '', ips: [] }

const subusers: Operations = {
  'POST /v3/subusers': (sendgrid) => {
    sendgrid.need('username')
    const { subusers } = sendgrid.records
    const fields = sendgrid.sent(SUBUSER)
    if (subusers.get(String(fields.username)) !== undefined) sendgrid.refuse('username exists', 'username')
    const { username, email, id } = subusers.create(fields)
    return {
      ...{ username, email, user_id: id, authorization_token: '', signup_session_token: '' },
      credit_allocation: { type: 'unlimited' },
    }
  },
  'GET /v3/subusers': (sendgrid) => {
    const { username } = sendgrid.query
    const found = sendgrid.records.subusers.where((one) => username === undefined || one.username === username)
    return sendgrid.page(found.toReversed().map((one) => only(one, 'id username email disabled')))
  },
  'GET /v3/subusers/reputations': ({ query, records }) =>
    [...records.subusers]
      .filter(({ username }) => query.usernames === undefined || textsOf(query.usernames).includes(String(username)))
      .map(({ username }) => ({ username, reputation: 100 })),
  'PATCH /v3/subusers/{username}': (sendgrid) => {
    sendgrid.change('subusers', sendgrid.sent({ disabled: false }))
    return sendgrid.empty
  },
  'DELETE /v3/subusers/{username}': (sendgrid) => sendgrid.remove('subusers'),
}

const ADDRESS = { ip: '192.0.2.10', pools: [], warmup: false, start_date: 1_735_689_600 }

const addresses: Operations = {
  'GET /v3/ips': () => [
    {
      ...{ ...ADDRESS, subusers: [], rdns: 'o1.mail.backlot.example', start_date: null },
      ...{ whitelabeled: false, assigned_at: ADDRESS.start_date },
    },
  ],
  'GET /v3/ips/assigned': () => [ADDRESS],
  'POST /v3/ips/pools': (sendgrid) => {
    sendgrid.need('name')
    return sendgrid.records.pools.create(sendgrid.sent({ name: '' }))
  },
  'GET /v3/ips/pools': ({ records }) => records.pools.where({}).toReversed(),
  'GET /v3/ips/pools/{name}': (sendgrid) => ({ pool_name: sendgrid.find('pools').name, ips: [] }),
  'PUT /v3/ips/pools/{name}': (sendgrid) => {
    sendgrid.need('name')
    sendgrid.remove('pools')
    return sendgrid.records.pools.create(sendgrid.sent({ name: '' }))
  },
  'DELETE /v3/ips/pools/{name}': (sendgrid) => sendgrid.remove('pools'),
  'GET /v3/access_settings/whitelist': ({ records }) => ({ result: records.allowed_ips.where({}).toReversed() }),
  'POST /v3/access_settings/whitelist': (sendgrid) => {
    const { records, body, unix } = sendgrid
    const asked = listOf(body.ips)
    if (!asked[0]?.ip) sendgrid.refuse('ips is required', 'ips')
    const times = { created_at: unix, updated_at: unix }
    return { result: asked.map(({ ip }) => records.allowed_ips.create({ ip: `${valueText(ip ?? '')}/32`, ...times })) }
  },
  'DELETE /v3/access_settings/whitelist': (sendgrid) => {
    sendgrid.removeAll('allowed_ips', [sendgrid.body.ids ?? []].flat())
    return sendgrid.empty
  },
  'GET /v3/access_settings/whitelist/{rule_id}': (sendgrid) => ({ result: sendgrid.find('allowed_ips') }),
  'DELETE /v3/access_settings/whitelist/{rule_id}': (sendgrid) => sendgrid.remove('allowed_ips'),
}

const alerts = operationsOf({
  ...{ collection: 'alerts', path: '/v3/alerts', param: 'alert_id', needed: 'type' },
  form: { type: '', email_to: '', frequency: null, percentage: 0 },
  made: ({ unix }) => ({ created_at: unix, updated_at: unix }),
  changed: ({ unix }) => ({ updated_at: unix }),
  // An alert shows only what it has.
  show: (alert) => Object.fromEntries(Object.entries(alert).filter(([, value]) => value !== null)),
  list: (shown) => shown,
})

export const account: Operations = {
  ...{ ...apiKeys, ...user, ...verifiedSenders, ...teammates, ...subusers, ...addresses, ...alerts },
}
