import { accountsOf, OWNER, toAccount } from './accounts.ts'
import { cents, dayOf, type Fields, fieldsOf, type Kept, nulls, operation, type PlaidRequest, toItem } from './plaid.ts'

function liabilitiesOf({ now }: PlaidRequest, all: readonly Kept[]): Fields {
  const day = (days: number): string => dayOf(now, days)
  const due = { last_payment_date: day(-20), next_payment_due_date: day(10) }
  const statement = { last_statement_issue_date: day(-28), is_overdue: false }
  const of = (subtype: string, toFacts: (owed: number, mask: unknown) => Fields): Fields[] =>
    all
      .filter((one) => one.subtype === subtype)
      .map(({ id, balances, mask }) => ({
        account_id: id,
        ...toFacts(Number(fieldsOf(balances).current), mask),
        ...due,
      }))
  const address = OWNER.addresses[0]?.data ?? null
  return {
    credit: of('credit card', (owed) => {
      const interest_charge_amount = cents((owed * 0.1524) / 12)
      const apr = {
        apr_percentage: 15.24,
        apr_type: 'purchase_apr',
        balance_subject_to_apr: owed,
        interest_charge_amount,
      }
      const amounts = { last_payment_amount: 168.25, last_statement_balance: owed, minimum_payment_amount: 20 }
      return { aprs: [apr], ...amounts, ...statement }
    }),
    mortgage: of('mortgage', (_, mask) => ({
      ...{ account_number: `3120194${mask}`, current_late_fee: 25, escrow_balance: 3_141.54 },
      ...{ has_pmi: true, has_prepayment_penalty: true, interest_rate: { percentage: 3.99, type: 'fixed' } },
      ...{ last_payment_amount: 3_141.54, loan_type_description: 'conventional', loan_term: '30 year' },
      ...{ maturity_date: day(365 * 20), next_monthly_payment: 3_141.54, origination_date: day(-365 * 10) },
      ...{ origination_principal_amount: 425_000, past_due_amount: 0, property_address: address },
      ...{ ytd_interest_paid: 12_300.4, ytd_principal_paid: 12_340.5 },
    })),
    student: of('student', (owed, mask) => ({
      ...{ account_number: `4277075${mask}`, disbursement_dates: [day(-365 * 5)], expected_payoff_date: day(365 * 8) },
      ...{ guarantor: 'DEPT OF ED', interest_rate_percentage: 5.25, last_payment_amount: 138.05 },
      ...{ last_statement_balance: owed, loan_name: 'Consolidation', minimum_payment_amount: 25 },
      loan_status: { end_date: day(365 * 8), type: 'repayment' },
      ...{ origination_date: day(-365 * 5), origination_principal_amount: 25_000 },
      pslf_status: nulls('estimated_eligibility_date payments_made payments_remaining'),
      ...{ outstanding_interest_amount: 6_227.36, payment_reference_number: `4277075${mask}` },
      ...{ repayment_plan: { description: 'Standard Repayment', type: 'standard' }, sequence_number: '1' },
      ...{ servicer_address: address, ytd_interest_paid: 280.55, ytd_principal_paid: 271.65, ...statement },
    })),
  }
}

export const liabilities = {
  'POST /liabilities/get': operation(['access_token'], (plaid) => {
    const item = plaid.itemWith('liabilities')
    const all = accountsOf(plaid, item)
    if (!all.some(({ type }) => type === 'credit' || type === 'loan')) plaid.refuse('NO_LIABILITY_ACCOUNTS')
    return { accounts: all.map(toAccount), item: toItem(item), liabilities: liabilitiesOf(plaid, all) }
  }),
}
