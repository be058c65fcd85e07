import type { SignInStep } from '../../protocol/sign-in.ts'
import { answerJson, refuse } from './answers.ts'
import { askLogout, authorize, beginDevice, interact, pushRequest, verifyDevice } from './authorize.ts'
import { registerClient } from './clients.ts'
import { describeProvider } from './configuration.ts'
import { issueTokens } from './grant.ts'
import { readLogout, signOut } from './logout.ts'
import { problemPage } from './pages.ts'
import { addressOf, faultOfTenant } from './provider-addresses.ts'
import type { SignInAnswer, SignInCall } from './sign-in-call.ts'
import { introspect, revokeToken, showToken, showUser } from './tokens.ts'

const PUBLIC = { 'Cache-Control': 'public, max-age=0, must-revalidate' }

const STEPS: Readonly<Record<SignInStep, (call: SignInCall) => SignInAnswer | undefined>> = {
  authorize,
  token: issueTokens,
  userinfo: showUser,
  jwks: (call) => answerJson(call.signer.keySet(), 200, PUBLIC),
  pem: (call) => answerJson(call.signer.pem(), 200, PUBLIC),
  configuration: (call) => answerJson(describeProvider(call), 200, PUBLIC),
  instance: showInstance,
  revoke: revokeToken,
  introspect,
  tokeninfo: showToken,
  device: beginDevice,
  verify: verifyDevice,
  register: registerClient,
  logout,
  par: pushRequest,
}

/** Answers a request to a step of the sign-in; undefined where the entry does. Its changes are in the records of the call. */
export function answerStep(call: SignInCall): SignInAnswer | undefined {
  const fault = faultOfTenant(call)
  return fault === undefined ? STEPS[call.step](call) : refuse(call, 'invalid_request', fault)
}

/** Whether an authority is the provider's own, as the clients of Microsoft ask before they trust it. */
function showInstance(call: SignInCall): SignInAnswer {
  const asked = call.fields.authorization_endpoint ?? ''
  const host = URL.canParse(asked) ? new URL(asked).host : ''
  const isOwn = Object.hasOwn(call.signIn.hosts, host) || host === new URL(call.origin).host
  if (!isOwn) return refuse(call, 'invalid_instance', 'AADSTS50049: Unknown or invalid instance.')
  const metadata = [{ preferred_network: host, preferred_cache: host, aliases: [host] }]
  return answerJson({ tenant_discovery_endpoint: addressOf(call, 'configuration') ?? '', metadata })
}

/** Signs out (OpenID Connect RP-Initiated Logout). */
function logout(call: SignInCall): SignInAnswer {
  if (call.method === 'POST' && call.fields.interaction !== undefined) return interact(call)
  const read = readLogout(call)
  if ('fault' in read) return problemPage(read.fault)
  return read.isProven ? signOut(call, read.asked) : askLogout(call, read.asked)
}
