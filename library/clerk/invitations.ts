import {
  type ClerkRequest,
  contains,
  type Fields,
  filled,
  HOUR_MS,
  INSTANCE,
  type Kept,
  type Operations,
  operationsOf,
  SECOND_MS,
  textOf,
  without,
} from './clerk.ts'
import { bodiesOf, invitationEnd, refuseInvited } from './organizations.ts'
import { toInvitation, toWaiting } from './views.ts'

/** Invites an address to the application. */
function invite(clerk: ClerkRequest, body: Fields): Kept {
  clerk.need('email_address', body)
  const email_address = textOf(body.email_address).toLowerCase()
  if (body.ignore_existing !== true) {
    if (clerk.records.email_addresses.some({ email_address })) clerk.taken('email_address')
    if (clerk.records.invitations.some({ email_address, status: 'pending' })) refuseInvited(clerk)
  }
  const expires_at = invitationEnd(clerk, body)
  return clerk.create('invitations', { ...filled(body, 'public_metadata'), email_address, expires_at })
}

/** The entry of an address on the waitlist: an address that is there already stays. */
function queueUp(clerk: ClerkRequest, body: Fields): Fields {
  clerk.need('email_address', body)
  const email_address = textOf(body.email_address).toLowerCase()
  const waiting = clerk.records.waitlist_entries.find({ email_address })
  if (waiting) return toWaiting(waiting, clerk)
  const shown = toWaiting(clerk.create('waitlist_entries', { email_address }), clerk)
  clerk.happen('waitlistEntry.created', shown)
  return shown
}

function changeWaiting(clerk: ClerkRequest, waiting: Kept, fields: Fields): Fields {
  const shown = toWaiting(clerk.update('waitlist_entries', waiting, fields), clerk)
  clerk.happen('waitlistEntry.updated', shown)
  return shown
}

/** The records of a list with the query's status and words in their address. */
function filtered(clerk: ClerkRequest, collection: 'invitations' | 'waitlist_entries'): Kept[] {
  const words = clerk.param('query')
  const found = clerk.records[collection].where(({ email_address }) => contains(email_address, words))
  return clerk.ordered(clerk.among(found, 'status'))
}

export const invitations: Operations = {
  'POST /v1/invitations': (clerk) => toInvitation(invite(clerk, clerk.body)),
  'POST /v1/invitations/bulk': (clerk) => bodiesOf(clerk).map((body) => toInvitation(invite(clerk, body))),
  'GET /v1/invitations': (clerk) => clerk.list(filtered(clerk, 'invitations'), toInvitation),
  'POST /v1/invitations/{invitation_id}/revoke': (clerk) => {
    const invitation = clerk.find('invitations')
    if (invitation.status !== 'pending')
      clerk.refuse({
        code: 'invitation_already_revoked',
        text: 'invitation not pending',
        long: 'The invitation is no longer pending.',
        status: 400,
      })
    return toInvitation(clerk.update('invitations', invitation, { status: 'revoked' }))
  },
  'DELETE /v1/invitations/{invitation_id}': (clerk) => clerk.remove('invitations'),
  'GET /v1/waitlist_entries': (clerk) =>
    clerk.list(filtered(clerk, 'waitlist_entries'), (entry) => toWaiting(entry, clerk)),
  'POST /v1/waitlist_entries': (clerk) => queueUp(clerk, clerk.body),
  'POST /v1/waitlist_entries/bulk': (clerk) => bodiesOf(clerk).map((body) => queueUp(clerk, body)),
  'POST /v1/waitlist_entries/{entry_id}/invite': (clerk) => {
    const waiting = clerk.find('waitlist_entries')
    const { ignore_existing = null } = clerk.body
    const { id } = invite(clerk, { email_address: waiting.email_address ?? '', ignore_existing })
    return changeWaiting(clerk, waiting, { status: 'invited', invitation_id: id })
  },
  'POST /v1/waitlist_entries/{entry_id}/reject': (clerk) =>
    changeWaiting(clerk, clerk.find('waitlist_entries'), { status: 'rejected' }),
  'DELETE /v1/waitlist_entries/{entry_id}': (clerk) => clerk.remove('waitlist_entries'),
}

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
