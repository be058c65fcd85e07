import {
  type ClerkRequest,
  type Fields,
  HOUR_MS,
  INSTANCE,
  type Kept,
  type Operations,
  operationsOf,
  SECOND_MS,
  textOf,
  without,
} from './clerk.ts'

const typeOf = (identifier: string): string =>
  identifier.includes('@') ? 'email_address' : identifier.includes('+') ? 'phone_number' : 'web3_wallet'

const refuseSecond = (clerk: ClerkRequest, name: string, long: string): never =>
  clerk.refuse({ code: 'duplicate_record', text: 'duplicate record', long, name, status: 400 })

const identifierList = (kind: 'allowlist' | 'blocklist', further: Fields): Operations => {
  const collection = `${kind}_identifiers` as const
  return operationsOf({
    collection,
    path: `/v1/${collection}`,
    param: 'identifier_id',
    needed: 'identifier',
    fields: 'identifier',
    show: (record) => ({ object: `${kind}_identifier`, ...record, instance_id: INSTANCE, ...further }),
    check: (clerk) => {
      const identifier = textOf(clerk.body.identifier)
      if (clerk.records[collection].some({ identifier }))
        refuseSecond(clerk, 'identifier', 'The identifier is on the list already.')
    },
    made: ({ body }) => ({ identifier_type: typeOf(textOf(body.identifier)) }),
    has: 'list create delete',
  })
}

/** Tokens that sign a user in, or somebody else as the user. */
function ticketOperations(kind: 'sign_in' | 'actor', show: (token: Kept) => Fields): Operations {
  const collection = `${kind}_tokens` as const
  const shown = (token: Kept): Fields => ({
    object: `${kind}_token`,
    ...show(token),
    url: `https://accounts.clerk.example/sign-in?__clerk_ticket=${token.token}`,
  })
  return {
    [`POST /v1/${collection}`]: (clerk) => {
      clerk.need(kind === 'actor' ? 'user_id actor' : 'user_id')
      const fields = { user_id: clerk.userOfBody().id, token: clerk.letters(64), actor: clerk.body.actor ?? null }
      return shown(clerk.create(collection, fields))
    },
    [`POST /v1/${collection}/{token_id}/revoke`]: (clerk) => {
      const token = clerk.find(collection)
      const long = 'Only pending tokens can be revoked.'
      const code = `${kind}_token_cannot_be_revoked`
      if (token.status !== 'pending') clerk.refuse({ code, text: 'The token cannot be revoked', long, status: 400 })
      return shown(clerk.update(collection, token, { status: 'revoked' }))
    },
  }
}

export const access: Operations = {
  ...identifierList('allowlist', { invitation_id: null }),
  ...identifierList('blocklist', {}),
  ...ticketOperations('sign_in', (token) => without(token, 'actor')),
  ...ticketOperations('actor', (token) => token),
  'POST /v1/testing_tokens': (clerk) => ({
    object: 'testing_token',
    token: clerk.letters(40),
    expires_at: clerk.unix + HOUR_MS / SECOND_MS,
  }),
  ...operationsOf({
    collection: 'redirect_urls',
    path: '/v1/redirect_urls',
    param: 'url_id',
    needed: 'url',
    fields: 'url',
    show: (record) => ({ object: 'redirect_url', ...record }),
    check: (clerk) => {
      if (clerk.records.redirect_urls.some({ url: textOf(clerk.body.url) }))
        refuseSecond(clerk, 'url', 'The url is registered already.')
    },
    has: 'list create read delete',
  }),
}
