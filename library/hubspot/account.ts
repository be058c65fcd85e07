/** Owners, tokens, and what the account says of itself. */
import { valueText } from '../../src/protocol/json.ts'
import { ACCOUNT, type HubspotRequest, isMissing, type Kept, type Operations } from './hubspot.ts'

const OWNERS = { usual: 100, most: 500 }
const TOKEN_S = 1_800
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
  'POST /oauth/v2/private-apps/get/access-token-info': () => ({
    userId: ACCOUNT.userId,
    hubId: ACCOUNT.portalId,
    appId: 1,
    scopes: SCOPES,
  }),
}
