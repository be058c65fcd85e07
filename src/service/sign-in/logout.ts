import type { JsonObject } from '../../protocol/json.ts'
import { findClient, redirectOf } from './clients.ts'
import { revokeFamily } from './grant.ts'
import { sidOf } from './mint.ts'
import { resultPage } from './pages.ts'
import { findSession, noCookie } from './sessions.ts'
import { type SignInAnswer, type SignInCall, textOf, textsOf } from './sign-in-call.ts'

/** What a request to sign out says, or what is wrong with it. */
export function readLogout(
  call: SignInCall,
): { readonly asked: JsonObject; readonly isProven: boolean } | { readonly fault: string } {
  const { fields, signIn } = call
  const hint = fields.id_token_hint === undefined ? undefined : call.signer.read(fields.id_token_hint)
  if (fields.id_token_hint !== undefined && hint === undefined)
    return { fault: 'Expected `id_token_hint` to be an ID token of this provider.' }
  const [audience = ''] = textsOf(hint?.aud)
  const client_id = audience || fields.client_id || ''
  const given = fields.post_logout_redirect_uri ?? fields[signIn.names.logout_return ?? ''] ?? ''
  const asked = { client_id, redirect: '', state: fields.state ?? '', sid: textOf(hint?.sid), sub: textOf(hint?.sub) }
  // A provider with a parameter of its own signs out without a question.
  const isProven = hint !== undefined || signIn.names.logout_return !== undefined
  if (given === '') return { asked, isProven }
  const client = findClient(call, client_id)
  if ('fault' in client && client_id !== '') return { fault: client.fault }
  const checked = 'fault' in client ? { id: '', record: undefined } : client
  const redirect = redirectOf(checked, given, 'post_logout_redirect_uris')
  return 'fault' in redirect ? redirect : { asked: { ...asked, redirect: redirect.address }, isProven }
}

/** Ends the session of the browser, or that of an ID token, with all its tokens, and goes back to the application. */
export function signOut(call: SignInCall, asked: JsonObject): SignInAnswer {
  const sid = textOf(asked.sid)
  const own = findSession(call)
  const sessions = call.records('sign_ins')
  const ended = sessions.where({}).filter((record) => {
    const id = textOf(record.id)
    return record.automatic !== true && (id === own?.id || (sid !== '' && sidOf(id) === sid))
  })
  for (const { id } of ended) {
    for (const grant of call.records('grants').where({ sign_in_id: textOf(id) }))
      revokeFamily(call, textOf(grant.family))
    sessions.remove(textOf(id))
  }
  const redirect = textOf(asked.redirect)
  if (redirect === '') return resultPage('Signed out', 'You are signed out.', noCookie(call))
  const state = textOf(asked.state)
  const mark = redirect.includes('?') ? '&' : '?'
  const Location = state === '' ? redirect : `${redirect}${mark}${new URLSearchParams({ state })}`
  return { status: 302, headers: { Location, 'Cache-Control': 'no-store', ...noCookie(call) }, body: null }
}
