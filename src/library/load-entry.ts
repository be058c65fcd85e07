import type { LibraryEntry } from './library-entry.ts'

const LOADERS: Readonly<Record<string, () => Promise<LibraryEntry>>> = {
  crm: async () => (await import('./crm/entry.ts')).crm,
  payments: async () => (await import('./payments/entry.ts')).payments,
  'task-tracker': async () => (await import('./task-tracker/entry.ts')).taskTracker,
}

/** The built-in entry with this slug, and no other; undefined where there is none. */
export async function loadEntry(slug: string): Promise<LibraryEntry | undefined> {
  return Object.hasOwn(LOADERS, slug) ? LOADERS[slug]?.() : undefined
}
