import { placeholdersOf } from '../template.ts'

type Templates = Readonly<Record<string, string>>

/** Parts of a scheme that can carry a time to the receiver. */
interface Carriers {
  readonly headers: Templates
  readonly stamp?: Templates
  readonly claims?: Templates
}

/** The time placeholder of a scheme: `{t}`, `{t_ms}` or `{t_iso}`; undefined where deliveries carry no time. */
export function timeOf(scheme: Carriers): 't' | 't_ms' | 't_iso' | undefined {
  const templates = [...templatesOf(scheme.stamp), ...templatesOf(scheme.headers), ...templatesOf(scheme.claims)]
  const names = templates.flatMap((template) => placeholdersOf(template))
  return (['t', 't_ms', 't_iso'] as const).find((name) => names.includes(name))
}

/** Whether the receiver verifies with a public key. */
export function hasKeyPair({ algorithm }: { readonly algorithm: string }): boolean {
  return algorithm === 'ed25519' || algorithm === 'ecdsa-p256-sha256' || algorithm === 'jwt-es256'
}

/** The values of a table of templates. */
export const templatesOf = (templates: Templates = {}): string[] => Object.values(templates)
