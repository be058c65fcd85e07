import { placeholdersOf } from './template.ts'

type Templates = Readonly<Record<string, string>>

/** The parts of a scheme that carry a time to the receiver. */
interface Carriers {
  readonly headers: Templates
  readonly stamp?: Templates
  readonly claims?: Templates
}

/** The time that a scheme's deliveries carry, of `{t}`, `{t_ms}` and `{t_iso}`; undefined where they carry none. */
export function timeOf(scheme: Carriers): 't' | 't_ms' | 't_iso' | undefined {
  const templates = [...templatesOf(scheme.stamp), ...templatesOf(scheme.headers), ...templatesOf(scheme.claims)]
  const names = templates.flatMap((template) => placeholdersOf(template))
  return (['t', 't_ms', 't_iso'] as const).find((name) => names.includes(name))
}

/** Whether the receiver checks with a public key. */
export function hasKeyPair({ algorithm }: { readonly algorithm: string }): boolean {
  return algorithm === 'ed25519' || algorithm === 'ecdsa-p256-sha256' || algorithm === 'jwt-es256'
}

/** The templates of a table of them. */
export const templatesOf = (templates: Templates = {}): string[] => Object.values(templates)
