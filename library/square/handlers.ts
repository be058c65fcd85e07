import { attributes } from './attributes.ts'
import { bookings, toBooking } from './bookings.ts'
import { cards } from './cards.ts'
import { catalog } from './catalog.ts'
import { catalogSearch } from './catalog-search.ts'
import { customers, toCustomer } from './customers.ts'
import { disputes, toDispute } from './disputes.ts'
import { giftCards } from './gift-cards.ts'
import { inventory, toCount } from './inventory.ts'
import { invoiceSteps, invoices, toInvoice } from './invoices.ts'
import { labor } from './labor.ts'
import { locations } from './locations.ts'
import { loyalty } from './loyalty.ts'
import { oauth, tokenSteps } from './oauth.ts'
import { orders, toOrderEvent } from './orders.ts'
import { paymentLinks } from './payment-links.ts'
import { paymentSteps, payments, toPayment, toRefund } from './payments.ts'
import { payoutSteps, payouts, toPayout } from './payouts.ts'
import { shown } from './plain.ts'
import { type Context, type Fields, fieldsOf, filled, type Kept, SquareRequest } from './square.ts'
import { subscriptionSteps, subscriptions, toSubscription } from './subscriptions.ts'
import { team, toMember } from './team.ts'
import { terminal, terminalSteps, toTerminal } from './terminal.ts'
import { vendors } from './vendors.ts'
import { webhooks } from './webhooks.ts'

const operations = {
  ...{ ...attributes, ...bookings, ...cards, ...catalog, ...catalogSearch, ...customers, ...disputes, ...giftCards },
  ...{ ...inventory, ...invoices, ...labor, ...locations, ...loyalty, ...oauth, ...orders, ...paymentLinks },
  ...{ ...payments, ...payouts, ...subscriptions, ...team, ...terminal, ...vendors, ...webhooks },
}

/** What events show of records. */
const views: Readonly<Record<string, (record: Fields) => Fields>> = {
  ...Object.fromEntries(
    ['cards', 'gift_card_activities', 'gift_cards', 'loyalty_accounts', 'loyalty_events', 'timecards', 'vendors'].map(
      (name) => [name, filled],
    ),
  ),
  bookings: toBooking,
  customers: toCustomer,
  disputes: toDispute,
  happenings: ({ data }) => fieldsOf(data),
  inventory_counts: toCount,
  invoices: toInvoice,
  orders: toOrderEvent,
  payments: toPayment,
  payouts: toPayout,
  plain: (record) => shown(record as Kept),
  refunds: toRefund,
  subscriptions: toSubscription,
  team_members: toMember,
  terminal_actions: toTerminal,
  terminal_checkouts: toTerminal,
  terminal_refunds: toTerminal,
}

export default {
  ...Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => handle(new SquareRequest(context)),
    ]),
  ),
  ...{ ...invoiceSteps, ...paymentSteps, ...payoutSteps, ...subscriptionSteps, ...terminalSteps, ...tokenSteps },
  ...Object.fromEntries(
    Object.entries(views).map(([name, show]) => [`$${name}`, ({ record }: { record: Fields }) => show(record)]),
  ),
}
