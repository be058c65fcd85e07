import { didYouMean } from '../../names/nearest-name.ts'
import { badRequest } from '../../protocol/errors.ts'
import type { SignInCommand, SignInOutcome } from '../../protocol/sign-in-command.ts'
import { faultOfScopes } from './authorize.ts'
import { findClient } from './clients.ts'
import { mintAll } from './mint.ts'
import { openSession } from './sessions.ts'
import { type SignInCall, textOf } from './sign-in-call.ts'
import { addressShown, allUsers, findUserNamed, isBlocked, type User } from './users.ts'

/** Does what the owner of a simulation asks of its sign-in. Throws `bad_request` for an unknown user or client. */
export function actAsOwner(call: SignInCall, command: SignInCommand): SignInOutcome {
  if (command.do === 'token') return { tokens: mintFor(call, command) }
  if (command.do === 'cookie') {
    const { id } = openSession(call, getUser(call, command.user))
    return { cookie: { name: call.cookieName, value: id, path: new URL(call.origin).pathname } }
  }
  if (command.do === 'rotate-keys') call.records('signing_keys').create({ id: call.secret('', 24) })
  else {
    const sessions = call.records('sign_ins')
    for (const { id } of sessions.where({ automatic: true })) sessions.remove(textOf(id))
    if (command.do === 'automatic') openSession(call, getUser(call, command.user), true)
  }
  return {}
}

function mintFor(call: SignInCall, command: Extract<SignInCommand, { do: 'token' }>) {
  const { user, client: id, scopes, audience = '' } = command
  const registered = call.records('clients').count() > 0
  const client = registered && id === 'test' ? { id, record: undefined } : findClient(call, id)
  if ('fault' in client) throw badRequest(client.fault)
  const fault = faultOfScopes(call, client, scopes ?? [])
  if (fault !== undefined) throw badRequest(fault)
  const usual = call.signIn.scopes.usual
  const byDefault = usual.length > 0 ? usual : ['openid', 'profile', 'email', 'offline_access']
  const granted = { nonce: '', signIn: '', wasAsked: true, accessType: 'offline', signedInAt: call.now }
  const named = {
    client,
    user: getUser(call, user),
    scopes: scopes ?? byDefault,
    audience,
    family: call.secret('', 24),
  }
  return mintAll(call, { ...granted, ...named })
}

function getUser(call: SignInCall, name: string): User {
  const user = findUserNamed(call, name)
  if (isBlocked(call, user))
    throw badRequest(
      `Failed to sign in the user "${name.slice(0, 100)}": the user is blocked. Change \`${Object.keys(call.signIn.users.blocked).join('`, `')}\` first.`,
    )
  if (user !== undefined) return user
  const known = allUsers(call)
    .map(({ record }) => addressShown(call, record))
    .filter((name) => name !== '')
  throw badRequest(
    `Failed to find the user "${name.slice(0, 100)}".${didYouMean(name, known)} Create one in the collection \`${call.signIn.users.of}\`. There are ${known.slice(0, 20).join(', ') || 'none'}.`,
  )
}
