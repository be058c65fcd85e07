import { DAY_S, type Due, isAmong, type Operations, textOf } from './square.ts'

const SCOPES = [
  ...['PAYMENTS_READ', 'PAYMENTS_WRITE', 'ORDERS_READ', 'ORDERS_WRITE', 'CUSTOMERS_READ', 'CUSTOMERS_WRITE'],
  ...['ITEMS_READ', 'ITEMS_WRITE'],
]
const TOKEN_DAYS = 30

export const oauth: Operations = {
  'POST /oauth2/token': (square) => {
    const { records } = square
    const form = { client_id: '', grant_type: '', code: '', refresh_token: '', scopes: [], short_lived: true }
    const { client_id, grant_type, code, refresh_token, scopes, short_lived = false } = square.sent(form)
    const isFirst = grant_type === 'authorization_code'
    if (!isFirst && grant_type !== 'refresh_token')
      square.refuse('INVALID_VALUE', 'grant_type must be authorization_code or refresh_token.', 'grant_type')
    if (isFirst && !code) square.unset('code')
    if (!isFirst && !records.tokens.some({ refresh_token: textOf(refresh_token) })) {
      const detail = 'This refresh token is not known.'
      square.refuseAs('AUTHENTICATION_ERROR', 'UNAUTHORIZED', { detail, status: 401 })
    }
    const token = records.tokens.create({
      ...{ client_id, scopes: scopes ?? [], expires_at: square.later((short_lived === true ? 1 : TOKEN_DAYS) * DAY_S) },
      refresh_token: isFirst ? `EQAA${square.letters(60)}` : textOf(refresh_token),
    })
    return {
      ...{ access_token: token.id, token_type: 'bearer', expires_at: token.expires_at },
      ...{ merchant_id: token.merchant_id, refresh_token: token.refresh_token, short_lived },
    }
  },
  'POST /oauth2/revoke': (square) => {
    const { records, time } = square
    const { client_id, access_token } = square.sent({ client_id: '', access_token: '' })
    for (const token of records.tokens.where(
      (one) => isAmong(one.client_id, client_id) && isAmong(one.id, access_token),
    ))
      records.tokens.remove(token)
    const object = { revocation: { revoked_at: time, revoker_type: 'APPLICATION' } }
    square.announce('oauth.authorization.revoked', { type: 'revocation', id: square.uuid(), object })
    return { success: true }
  },
  'POST /oauth2/token/status': (square) => {
    const token = square.records.tokens.get(square.of.key)
    return {
      scopes: token?.scopes ?? SCOPES,
      expires_at: token?.expires_at ?? square.later(TOKEN_DAYS * DAY_S),
      client_id: token?.client_id ?? 'sandbox-sq0idb-backlot',
      merchant_id: 'MLBACKLOT',
    }
  },
}

/** What the plan does with tokens. */
export const tokenSteps = { expireToken: (due: Due) => due.remove() }
