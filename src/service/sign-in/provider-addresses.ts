import { pathsOf, type SignInStep } from '../../protocol/sign-in.ts'
import type { SignInCall } from './sign-in-call.ts'

/** The address of a step; undefined for a provider without it. Under a real host name, that of the step's own host. */
export function addressOf(call: SignInCall, step: SignInStep): string | undefined {
  const all = pathsOf(call.signIn).find(([name]) => name === step)?.[1] ?? []
  const path = all.find((one) => one.includes('{tenant}') === (call.params.tenant !== undefined)) ?? all[0]
  return path === undefined ? undefined : baseOf(call, step) + filled(call, path)
}

/** The issuer, as tokens name it. `announced`: as the configuration does, for every tenant at once. */
export function issuerOf(call: SignInCall, announced = false): string {
  const { tenants, issuer } = call.signIn
  const { tenant } = call.params
  const isShared = tenants !== undefined && (tenant === undefined || tenants.shared.includes(tenant))
  const named = isShared && announced ? '{tenantid}' : (tenantOf(call) ?? '')
  const text = tenant === undefined ? (tenants?.root ?? issuer) : issuer
  return filled(call, text.replace('{origin}', call.origin).replace('{home}', homeOf(call)).replace('{tenant}', named))
}

/** Whether answers to the application name the issuer (RFC 9207): where one is announced for every tenant, they cannot. */
export const namesIssuer = ({ signIn: { tokens, tenants } }: SignInCall): boolean =>
  tokens.id !== false && tenants === undefined

/** The tenant that tokens name. */
export function tenantOf({ params: { tenant }, signIn: { tenants } }: SignInCall): string | undefined {
  if (tenants === undefined) return tenant
  if (tenant === undefined) return tenants.root === undefined ? tenants.id : undefined
  const isId = !tenants.shared.includes(tenant) && (!tenants.guids || GUID.test(tenant))
  return isId ? tenant : tenants.id
}

const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** What is wrong with the tenant of a path. */
export function faultOfTenant({ params: { tenant }, signIn: { tenants } }: SignInCall): string | undefined {
  if (tenant === undefined || tenants?.guids !== true) return undefined
  if (tenants.shared.includes(tenant) || GUID.test(tenant) || /^[\w-]+(\.[\w-]+)+$/.test(tenant)) return undefined
  const shown = tenant.slice(0, 100)
  return `AADSTS900023: Specified tenant identifier '${shown}' is neither a valid DNS name, nor a valid external domain. Expected ${tenants.shared.join(', ')}, a GUID or a domain.`
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
