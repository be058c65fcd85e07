import { pathsOf, type SignInStep } from '../../protocol/sign-in.ts'
import type { SignInCall } from './sign-in-call.ts'

/** The address of a step; undefined for a provider without it. Under a real host name, that of the step's own host. */
export function addressOf(call: SignInCall, step: SignInStep): string | undefined {
  const [path] = pathsOf(call.signIn).find(([name]) => name === step)?.[1] ?? []
  return path === undefined ? undefined : baseOf(call, step) + filled(call, path)
}

/** The issuer, as tokens name it. `announced`: as the configuration does, for every tenant at once. */
export function issuerOf(call: SignInCall, announced = false): string {
  const { issuer, tenants } = call.signIn
  const asked = call.params.tenant ?? ''
  const isShared = tenants !== undefined && (asked === '' || tenants.shared.includes(asked))
  const tenant = isShared ? (announced ? '{tenantid}' : tenants.id) : asked
  return filled(
    call,
    issuer.replace('{origin}', call.origin).replace('{home}', homeOf(call)).replace('{tenant}', tenant),
  )
}

/** Whether answers to the application name the issuer (RFC 9207): where one is announced for every tenant, they cannot. */
export const namesIssuer = ({ signIn: { tokens, tenants } }: SignInCall): boolean =>
  tokens.id !== false && tenants === undefined

/** The tenant that tokens name. */
export function tenantOf({ params, signIn: { tenants } }: SignInCall): string | undefined {
  const asked = params.tenant ?? ''
  return tenants === undefined || (asked !== '' && !tenants.shared.includes(asked)) ? asked || undefined : tenants.id
}

const filled = ({ params }: SignInCall, text: string): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole)

const isWorn = ({ origin, signIn: { hosts } }: SignInCall): boolean => Object.hasOwn(hosts, new URL(origin).hostname)

function homeOf(call: SignInCall): string {
  const [home] = Object.keys(call.signIn.hosts)
  return isWorn(call) && home !== undefined ? `https://${home}` : call.origin
}

function baseOf(call: SignInCall, step: SignInStep): string {
  if (!isWorn(call)) return call.origin
  const own = Object.entries(call.signIn.hosts).find(([, steps]) => steps.includes(step))?.[0]
  return own === undefined ? homeOf(call) : `https://${own}`
}
