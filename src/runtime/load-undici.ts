import { realmOfNode } from './timers.ts'

type Undici = typeof import('undici')

/** undici, loaded when first needed. Names that it looks up at its start and that a test environment lacks are lent to it. */
export async function loadUndici(): Promise<Undici> {
  const realm = globalThis as { MessagePort?: unknown }
  const isLent = !('MessagePort' in realm)
  if (isLent) realm.MessagePort = realmOfNode.MessagePort
  try {
    return await import('undici/index.js')
  } finally {
    if (isLent) delete realm.MessagePort
  }
}
