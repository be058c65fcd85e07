/** Owners, tokens, and what the account says of itself. */
import { valueText } from '../../src/protocol/json.ts'
import { present } from './derived.ts'
import {
  ACCOUNT,
  type Fields,
  type Form,
  type HubspotRequest,
  isMissing,
  type Kept,
  type Operations,
} from './hubspot.ts'

const OWNERS = { usual: 100, most: 500 }
const DAY_MS = 86_400_000
const TOKEN_S = 1_800
const USER: Form = {
  ...{ email: 'text', firstName: 'text', lastName: 'text', roleId: 'text', primaryTeamId: 'text' },
  ...{ secondaryTeamIds: 'list', sendWelcomeEmail: 'flag' },
}
const SCOPES = ['oauth', 'crm.objects.contacts.read', 'crm.objects.contacts.write']

const BEARER = {
  hub_id: ACCOUNT.portalId,
  user_id: ACCOUNT.userId,
  user: 'ada@backlot.example',
  hub_domain: 'backlot.example',
  scopes: SCOPES,
}

function newToken(hubspot: HubspotRequest): object {
  const form = { grant_type: 'text', code: 'text', refresh_token: 'text', client_id: 'text' } as const
  const { grant_type, code, refresh_token: known, client_id = '' } = hubspot.sent(form)
  const refuse = (says: string, message: string): never => {
    const facts = { code: 'oauth', says, message }
    return hubspot.of.refuse(400, facts)
  }
  if (grant_type !== 'authorization_code' && grant_type !== 'refresh_token')
    refuse('BAD_GRANT_TYPE', `missing or unknown grant type: ${grant_type ?? ''}`)
  if (grant_type === 'authorization_code' && isMissing(code)) refuse('BAD_AUTH_CODE', 'missing or unknown auth code')
  const isKnown = !isMissing(known) && hubspot.records.tokens.some({ refresh_token: known ?? '' })
  if (grant_type === 'refresh_token' && !isKnown) refuse('BAD_REFRESH_TOKEN', 'missing or invalid refresh token')
  const access_token = `CN${hubspot.letters(60)}`
  const refresh_token = valueText(known ?? '') || `na1-${hubspot.letters(32)}`
  const expires_at = new Date(hubspot.ms + TOKEN_S * 1_000).toISOString()
  hubspot.records.tokens.create({ access_token, refresh_token, client_id, expires_at })
  return { token_type: 'bearer', access_token, refresh_token, expires_in: TOKEN_S }
}

/** The token that the path has, by its kind. */
const tokenOf = (hubspot: HubspotRequest, kind: 'access_token' | 'refresh_token'): Kept =>
  hubspot.records.tokens.find({ [kind]: hubspot.path.token ?? '' }) ?? hubspot.missing()

const toUser = (user: Kept): Fields => present(user)

/** The user that the path names by its id, or by its email. */
function userOf(hubspot: HubspotRequest): Kept {
  const { userId = '' } = hubspot.path
  const { users } = hubspot.records
  const isByEmail = hubspot.query.idProperty === 'EMAIL'
  return (isByEmail ? users.find({ email: userId.toLowerCase() }) : users.get(userId)) ?? hubspot.missing()
}

export const account: Operations = {
  'GET /crm/v3/owners': (hubspot) => {
    const { email = '' } = hubspot.query
    const owners = hubspot.having('owners', { archived: hubspot.isArchived, ...(email !== '' && { email }) })
    return hubspot.list(owners, OWNERS, (owner) => owner)
  },
  'GET /crm/v3/owners/{ownerId}': (hubspot) => {
    const { owners } = hubspot.records
    const { ownerId = '' } = hubspot.path
    const isByUser = hubspot.query.idProperty === 'userId'
    return (isByUser ? owners.find({ userId: Number(ownerId) }) : owners.get(ownerId)) ?? hubspot.missing()
  },
  'POST /oauth/v1/token': newToken,
  'GET /oauth/v1/access-tokens/{token}': (hubspot) => {
    const { access_token, expires_at } = tokenOf(hubspot, 'access_token')
    const expires_in = Math.ceil((Date.parse(valueText(expires_at)) - hubspot.ms) / 1_000)
    if (expires_in <= 0) return hubspot.missing()
    return { ...BEARER, token_type: 'access', app_id: 1, expires_in, token: access_token }
  },
  'GET /oauth/v1/refresh-tokens/{token}': (hubspot) => {
    const { refresh_token, client_id } = tokenOf(hubspot, 'refresh_token')
    return { ...BEARER, token_type: 'refresh', client_id, token: refresh_token }
  },
  'DELETE /oauth/v1/refresh-tokens/{token}': ({ records, path }) => {
    // Its access tokens stay valid until they expire.
    for (const token of records.tokens.where({ refresh_token: path.token ?? '' }))
      records.tokens.update(token, { refresh_token: '' })
  },
  'GET /account-info/v3/details': () => ({
    portalId: ACCOUNT.portalId,
    accountType: 'DEVELOPER_TEST',
    timeZone: 'Europe/Dublin',
    companyCurrency: 'USD',
    additionalCurrencies: [],
    utcOffset: '+00:00',
    utcOffsetMilliseconds: 0,
    uiDomain: 'app.hubspot.example',
    dataHostingLocation: 'na1',
  }),
  'GET /account-info/v3/api-usage/daily/private-apps': ({ iso: collectedAt, ms }) => {
    const resetsAt = new Date(Math.ceil(ms / DAY_MS) * DAY_MS).toISOString()
    const usage = { usageLimit: 250_000, currentUsage: 1, fetchStatus: 'SUCCESS', collectedAt, resetsAt }
    return { results: [{ name: 'private-apps-api-calls-daily', ...usage }] }
  },
  'GET /settings/v3/users': (hubspot) => hubspot.list(hubspot.having('users', {}), OWNERS, toUser),
  'POST /settings/v3/users': (hubspot) => {
    const { iso, records } = hubspot
    hubspot.need('email')
    const { sendWelcomeEmail = false, ...given } = hubspot.sent(USER)
    const email = valueText(given.email).toLowerCase()
    if (records.users.some({ email })) hubspot.conflict(`A user with the email ${email} exists already`)
    const user = records.users.create({ id: hubspot.digits(8), ...given, email, roleIds: [given.roleId ?? []].flat() })
    const { firstName = '', lastName = '' } = given
    const userId = Number(user.id)
    const facts = { email, firstName, lastName, userId, userIdIncludingInactive: userId }
    records.owners.create({ id: hubspot.digits(9), ...facts, createdAt: iso, updatedAt: iso })
    return { ...toUser(user), sendWelcomeEmail }
  },
  'GET /settings/v3/users/{userId}': (hubspot) => toUser(userOf(hubspot)),
  'PUT /settings/v3/users/{userId}': (hubspot) => {
    const { sendWelcomeEmail: _, email: _email, ...given } = hubspot.sent(USER)
    const roles = given.roleId === undefined ? {} : { roleIds: [given.roleId] }
    return toUser(hubspot.records.users.update(userOf(hubspot), { ...given, ...roles }))
  },
  'DELETE /settings/v3/users/{userId}': (hubspot) => {
    const { id } = userOf(hubspot)
    hubspot.records.users.remove(id)
    const owner = hubspot.records.owners.find({ userId: Number(id) })
    if (owner) hubspot.records.owners.update(owner, { archived: true, updatedAt: hubspot.iso })
  },
  'GET /settings/v3/users/roles': () => ({ results: [{ id: '1', name: 'Sales', requiresBillingWrite: false }] }),
  'GET /settings/v3/users/teams': () => ({ results: [] }),
  'POST /oauth/v2/private-apps/get/access-token-info': () => ({
    userId: ACCOUNT.userId,
    hubId: ACCOUNT.portalId,
    appId: 1,
    scopes: SCOPES,
  }),
}
