import type { JsonObject } from '../../src/protocol/json.ts'
import { type Context, fieldsOf, find, secondsOf } from './context.ts'

const OWNER = 'disable_stripe_user_authentication external_account_collection'
const PAYMENTS =
  'capture_payments destination_on_behalf_of_charge_management dispute_management refund_management smart_disputes_management'
const PAYOUTS = `${OWNER} edit_payout_schedule instant_payouts standard_payouts`
const CARDS = 'card_management card_spend_dispute_management cardholder_management spend_control_management'
/** The components of a page of Connect, and their features. https://docs.stripe.com/api/account_sessions/object */
const COMPONENTS: Readonly<Record<string, string>> = {
  ...{ account_management: OWNER, account_onboarding: OWNER, notification_banner: OWNER },
  ...{ balances: PAYOUTS, payouts: PAYOUTS, instant_payouts_promotion: `${OWNER} instant_payouts` },
  ...{ disputes_list: PAYMENTS, payment_details: PAYMENTS, payments: PAYMENTS },
  payment_disputes: PAYMENTS.replace('capture_payments ', ''),
  financial_account: `${OWNER} send_money transfer_balance`,
  financial_account_transactions: 'card_spend_dispute_management',
  ...{ issuing_card: CARDS, issuing_cards_list: `${CARDS} disable_stripe_user_authentication` },
  ...{ balance_report: '', documents: '', payout_details: '', payouts_list: '' },
  payment_method_settings: 'disable_stripe_user_authentication',
  ...{ payout_reconciliation_report: '', reporting_chart: '', tax_registrations: '', tax_settings: '' },
  ...{ terminal_hardware_orders: '', terminal_hardware_shop: '' },
}
const OFF = ['disable_stripe_user_authentication', 'destination_on_behalf_of_charge_management', 'send_money']

function shown(sent: unknown, features: string): JsonObject {
  const { enabled = false, features: wanted } = fieldsOf(sent)
  const usual = features.split(' ').flatMap((name) => (name === '' ? [] : [[name, !OFF.includes(name)]]))
  return { enabled, features: { ...Object.fromEntries(usual), ...fieldsOf(wanted) } }
}

export const accountSessions = {
  'POST /v1/account_sessions': (context: Context) => {
    const { account, components } = context.body
    const sent = fieldsOf(components)
    return {
      object: 'account_session',
      account: find(context, 'accounts', account, 'account').id,
      client_secret: context.id('accs_secret__'),
      components: Object.fromEntries(
        Object.entries(COMPONENTS).map(([name, features]) => [name, shown(sent[name], features)]),
      ),
      expires_at: secondsOf(context) + 1_800,
      livemode: false,
    }
  },
}
