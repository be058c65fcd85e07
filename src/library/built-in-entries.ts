import type { LibraryEntrySummary } from '../protocol/reads.ts'
import type { LibraryEntry } from './library-entry.ts'

/** A built-in entry: what a list shows of it, and how it is loaded. */
interface BuiltInEntry {
  readonly summary: LibraryEntrySummary
  readonly load: () => Promise<LibraryEntry>
}

/** A table, so that listing loads no description; `test/library` holds it to the entries. */
const BUILT_IN_ENTRIES: readonly BuiltInEntry[] = [
  {
    summary: {
      slug: 'crm',
      name: 'Rolodeck CRM API',
      provider: 'Rolodeck',
      vertical: 'crm',
      description: 'Companies, contacts, deals that move through stages, activities, notes, products and orders.',
      operations: 38,
    },
    load: async () => (await import('./crm/entry.ts')).crm,
  },
  {
    summary: {
      slug: 'payments',
      name: 'Ledgerline Payments API',
      provider: 'Ledgerline',
      vertical: 'payments',
      description: 'Customers, payments, refunds, invoices with lines, plans, subscriptions, payouts and disputes.',
      operations: 40,
    },
    load: async () => (await import('./payments/entry.ts')).payments,
  },
  {
    summary: {
      slug: 'task-tracker',
      name: 'Kanbird API',
      provider: 'Kanbird',
      vertical: 'project-management',
      description: 'Projects, milestones, tasks with comments and attachments, labels and the people who work on them.',
      operations: 38,
    },
    load: async () => (await import('./task-tracker/entry.ts')).taskTracker,
  },
]

/** The built-in library entries, by slug. */
export function listEntries(): LibraryEntrySummary[] {
  return BUILT_IN_ENTRIES.map(({ summary }) => ({ ...summary }))
}

/** The built-in entry with this slug; undefined where there is none. */
export async function loadEntry(slug: string): Promise<LibraryEntry | undefined> {
  return BUILT_IN_ENTRIES.find(({ summary }) => summary.slug === slug)?.load()
}
