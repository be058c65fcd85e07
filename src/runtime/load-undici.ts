import { createRequire } from 'node:module'
import { realmOfNode } from './timers.ts'

type Undici = typeof import('undici')

const load = createRequire(import.meta.url)

/** The global dispatcher of undici before 8, and of Node's own `fetch`. */
const OLDER_DISPATCHER = Symbol.for('undici.globalDispatcher.1')

/**
 * undici, loaded when first needed. Names that it looks up at its start and that a test environment lacks are lent to
 * it. It also replaces the global dispatcher of older ones, whose forms it then refuses: that is undone.
 */
export async function loadUndici(): Promise<Undici> {
  const realm = globalThis as { MessagePort?: unknown; [OLDER_DISPATCHER]?: unknown }
  const older = realm[OLDER_DISPATCHER]
  const isLent = !('MessagePort' in realm)
  if (isLent) realm.MessagePort = realmOfNode.MessagePort
  try {
    // At once: meanwhile nothing else may set the dispatcher.
    return load('undici/index.js') as Undici
  } finally {
    if (isLent) delete realm.MessagePort
    realm[OLDER_DISPATCHER] = older
  }
}
