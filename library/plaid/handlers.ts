import { accounts } from './accounts.ts'
import { institutions } from './institutions.ts'
import { items } from './items.ts'
import { products } from './products.ts'
import { reports } from './reports.ts'
import { transactions } from './transactions.ts'
import { transfers } from './transfers.ts'

export default { ...items, ...accounts, ...institutions, ...products, ...reports, ...transactions, ...transfers }
