import { idFrom } from '../../src/protocol/expression.ts'
import { phone } from '../shared/phone.ts'
import { attributes } from './attributes.ts'
import { bookings } from './bookings.ts'
import { cards } from './cards.ts'
import { catalog } from './catalog.ts'
import { catalogSearch } from './catalog-search.ts'
import { customers, toCustomer } from './customers.ts'
import { inventory, toCount } from './inventory.ts'
import { invoiceSteps, invoices, toInvoice } from './invoices.ts'
import { locations } from './locations.ts'
import { orders, toOrder, toOrderEvent } from './orders.ts'
import { paymentLinks } from './payment-links.ts'
import { paymentSteps, payments, toPayment, toRefund } from './payments.ts'
import { price } from './pricing.ts'
import { resources } from './resources.ts'
import { type Context, type Fields, fieldsOf, filled, type Json, listOf, SquareRequest, textOf } from './square.ts'
import { subscriptionSteps, subscriptions, toSubscription } from './subscriptions.ts'
import { terminal, terminalSteps, toCheckout } from './terminal.ts'
import { wageSettings } from './wages.ts'

const operations = {
  ...{ ...cards, ...catalog, ...catalogSearch, ...customers, ...inventory, ...invoices, ...locations, ...orders },
  ...{ ...paymentLinks, ...payments, ...subscriptions, ...terminal },
}

/** What answers and events show of records: otherwise all that is not null. */
const views: Readonly<Record<string, (record: Fields) => Fields>> = {
  ...{ customers: toCustomer, inventory_counts: toCount },
}

/** The prices of an order, for the rows of `effects.yaml`. */
function pricedInRows({ order, currency, goods, time, seed }: Record<string, Json>): Fields {
  const byId = new Map(listOf(goods).map((object) => [object.id, object]))
  let uids = 0
  const newUid = (): string => idFrom(`${textOf(seed)}#${uids++}`, { length: 22 })
  const asked = order as Fields
  return price(
    { time: textOf(time), currency: textOf(currency), newUid, objectOf: (id) => byId.get(id ?? null) },
    asked,
    asked.was,
  )
}

export default {
  ...{ ...attributes, ...bookings, ...resources, ...wageSettings },
  ...Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => handle(new SquareRequest(context)),
    ]),
  ),
  ...{ ...invoiceSteps, ...paymentSteps, ...subscriptionSteps, ...terminalSteps },
  $visible: (given: Json): Fields => {
    const { of, record } = fieldsOf(given)
    return (views[textOf(of)] ?? filled)(fieldsOf(record))
  },
  $shownCheckout: toCheckout,
  $shownInvoice: toInvoice,
  $shownOrder: toOrder,
  $shownOrderEvent: toOrderEvent,
  $shownPayment: toPayment,
  $shownRefund: toRefund,
  $shownSubscription: toSubscription,
  $phone: phone,
  $pricesOf: pricedInRows,
}
