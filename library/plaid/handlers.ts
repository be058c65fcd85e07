import { accounts } from './accounts.ts'
import { assetReports } from './asset-reports.ts'
import { institutions } from './institutions.ts'
import { investments } from './investments.ts'
import { items } from './items.ts'
import { ledgers } from './ledgers.ts'
import { liabilities } from './liabilities.ts'
import { linkSessions } from './link.ts'
import { merchants } from './merchants.ts'
import { payments } from './payments.ts'
import { processors } from './processors.ts'
import { recurringTransfers } from './recurring-transfers.ts'
import { signal } from './signal.ts'
import { statements } from './statements.ts'
import { transactions } from './transactions.ts'
import { transfers } from './transfers.ts'
import { users } from './users.ts'
import { verifications } from './verifications.ts'

export default {
  ...{ ...accounts, ...assetReports, ...institutions, ...investments, ...items, ...ledgers, ...liabilities },
  ...{ ...linkSessions, ...merchants, ...payments, ...processors, ...recurringTransfers, ...signal, ...statements },
  ...{ ...transactions, ...transfers, ...users, ...verifications },
}
