import type { Capability, Target } from './target.ts'

/** A service elsewhere, named by the environment; undefined when none is. */
export function remoteTarget(env: Readonly<Record<string, string | undefined>>): Target | undefined {
  const { CONFORMANCE_URL: url, CONFORMANCE_KEY: accountKey, CONFORMANCE_CA: ca } = env
  if (!url || !accountKey) return undefined
  return {
    name: url,
    can: new Set<Capability>(env.CONFORMANCE_EXTENSIONS ? ['extensions'] : []),
    start: async () => ({ url: url.replace(/\/+$/, ''), accountKey, ca, close: async () => {} }),
  }
}
