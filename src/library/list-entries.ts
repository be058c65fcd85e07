import type { LibraryEntrySummary } from '../protocol/reads.ts'

/** What the built-in library holds. A table, so that listing loads no description; `test/library` holds it to the entries. */
const ENTRIES: readonly LibraryEntrySummary[] = [
  {
    slug: 'crm',
    name: 'Rolodeck CRM API',
    provider: 'Rolodeck',
    vertical: 'crm',
    description: 'Companies, contacts, deals that move through stages, activities, notes, products and orders.',
    operations: 38,
  },
  {
    slug: 'payments',
    name: 'Ledgerline Payments API',
    provider: 'Ledgerline',
    vertical: 'payments',
    description: 'Customers, payments, refunds, invoices with lines, plans, subscriptions, payouts and disputes.',
    operations: 40,
  },
  {
    slug: 'task-tracker',
    name: 'Kanbird API',
    provider: 'Kanbird',
    vertical: 'project-management',
    description: 'Projects, milestones, tasks with comments and attachments, labels and the people who work on them.',
    operations: 38,
  },
]

/** The built-in library entries, by slug. */
export async function listEntries(): Promise<LibraryEntrySummary[]> {
  return ENTRIES.map((entry) => ({ ...entry }))
}
