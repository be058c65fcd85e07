import type { JsonObject } from '../../protocol/json.ts'
import { type Client, findClient, redirectOf } from './clients.ts'
import { revokeFamily } from './grant.ts'
import { sidOf } from './mint.ts'
import { resultPage } from './pages.ts'
import { issuerOf } from './provider-addresses.ts'
import { findSession, noCookie } from './sessions.ts'
import { expiryOf, type SignInAnswer, type SignInCall, secondsOf, textOf, textsOf } from './sign-in-call.ts'

/** What a request to sign out says, or what is wrong with it. */
export function readLogout(
  call: SignInCall,
): { readonly asked: JsonObject; readonly isProven: boolean } | { readonly fault: string } {
  const { fields, signIn } = call
  const hint = fields.id_token_hint === undefined ? undefined : call.signer.read(fields.id_token_hint)
  if (fields.id_token_hint !== undefined && hint === undefined)
    return { fault: 'Expected `id_token_hint` to be an ID token of this provider.' }
  const [audience = ''] = textsOf(hint?.aud)
  if (audience !== '' && fields.client_id && fields.client_id !== audience)
    return {
      fault: `Expected \`client_id\` to be that of the ID token, ${audience}, got ${fields.client_id.slice(0, 100)}.`,
    }
  const client_id = audience || fields.client_id || ''
  const given = fields.post_logout_redirect_uri ?? fields[signIn.names.logout_return ?? ''] ?? ''
  const asked = { client_id, redirect: '', state: fields.state ?? '', sid: textOf(hint?.sid), sub: textOf(hint?.sub) }
  // A provider with a parameter of its own signs out without a question.
  const isProven = hint !== undefined || signIn.names.logout_return !== undefined
  if (given === '') return { asked, isProven }
  const client = client_id === '' ? allClients(call) : findClient(call, client_id)
  if ('fault' in client) return client
  const redirect = redirectOf(client, given, 'post_logout_redirect_uris')
  return 'fault' in redirect ? redirect : { asked: { ...asked, redirect: redirect.address }, isProven }
}

/** All clients as one: where a request names none, each one's addresses may follow. */
function allClients(call: SignInCall): Client {
  const all = call.records('clients').where({})
  const addresses = all.flatMap((client) => textsOf(client.post_logout_redirect_uris))
  return { id: '', record: all.length === 0 ? undefined : { post_logout_redirect_uris: addresses } }
}

/** Ends the session of the browser, or that of an ID token, with all its tokens, and goes back to the application. */
export function signOut(call: SignInCall, asked: JsonObject): SignInAnswer {
  const { signIn } = call
  const sid = textOf(asked.sid)
  const own = findSession(call)
  const sessions = call.records('sign_ins')
  const ended = sessions.where({}).filter((record) => {
    const id = textOf(record.id)
    return record.automatic !== true && (id === own?.id || (sid !== '' && sidOf(id) === sid))
  })
  for (const record of ended) {
    const id = textOf(record.id)
    for (const grant of call.records('grants').where({ sign_in_id: id })) revokeFamily(call, textOf(grant.family))
    if (signIn.backChannel) for (const client of textsOf(record.client_ids)) notify(call, client, record)
    sessions.remove(id)
  }
  const redirect = textOf(asked.redirect)
  if (redirect === '') return resultPage('Signed out', 'You are signed out.', noCookie(call))
  const state = textOf(asked.state)
  const mark = redirect.includes('?') ? '&' : '?'
  const Location = state === '' ? redirect : `${redirect}${mark}${new URLSearchParams({ state })}`
  return { status: 302, headers: { Location, 'Cache-Control': 'no-store', ...noCookie(call) }, body: null }
}

const LOGOUT_SECONDS = 120

/** Records that a session of a client has ended: the record's event is sent to the client (OpenID Connect Back-Channel Logout). */
function notify(call: SignInCall, id: string, session: JsonObject): void {
  const client = findClient(call, id)
  if ('fault' in client || client.record?.backchannel_logout_uri === undefined) return
  const iat = secondsOf(call, call.now)
  const claims = {
    iss: issuerOf(call),
    aud: client.id,
    sub: session.user_id ?? null,
    sid: sidOf(textOf(session.id)),
    jti: call.secret('', 24),
    iat,
    exp: iat + LOGOUT_SECONDS,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  }
  call.records('logouts').create({
    id: claims.jti,
    client: client.record.id ?? null,
    client_id: client.id,
    logout_token: call.signer.sign(claims, { typ: 'logout+jwt' }),
    expires_at: expiryOf(call, LOGOUT_SECONDS),
  })
}
