import { accounts } from './accounts.ts'
import { institutions } from './institutions.ts'
import { items } from './items.ts'
import { ledgers } from './ledgers.ts'
import { payments } from './payments.ts'
import { processors } from './processors.ts'
import { products } from './products.ts'
import { reports } from './reports.ts'
import { transactions } from './transactions.ts'
import { transfers } from './transfers.ts'

export default {
  ...items,
  ...accounts,
  ...institutions,
  ...ledgers,
  ...payments,
  ...processors,
  ...products,
  ...reports,
  ...transactions,
  ...transfers,
}
