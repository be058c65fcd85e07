// Each file calls those of its own line and of the lines above, one way:
// 1. the request and the records: stripe, context, countries, prices, declines, sources, payment-methods, taxes, catalog
// 2. money: transfers, charging, refunds, disputes, payouts; intents, payment-intents, setup-intents
// 3. invoices: invoicing, discounts, credits, paying; subscriptions: billing, subscription-items, customers
// 4. requests that use both: subscriptions, schedules, invoices, quotes, sessions, completing
// 5. following: what payments change in invoices, subscriptions and sessions. Lines 2 and 3 call it as `stripe.following`
import { accountSessions } from './account-sessions.ts'
import { accounts } from './accounts.ts'
import { subscriptionSteps } from './billing.ts'
import { catalog } from './catalog.ts'
import { charges } from './charging.ts'
import { checkout } from './checkout.ts'
import { clientSecrets } from './client-secrets.ts'
import { clocks } from './clocks.ts'
import { completing } from './completing.ts'
import type { Context, Due } from './context.ts'
import { countries } from './countries.ts'
import { creditNotes } from './credit-notes.ts'
import { credits } from './credits.ts'
import { customerSteps, customers } from './customers.ts'
import { discountSteps, discounts } from './discounts.ts'
import { disputeSteps, disputes } from './disputes.ts'
import { endpoints, webhookEndpoints } from './endpoints.ts'
import { entitlements, features } from './entitlements.ts'
import { fileSteps, files } from './files.ts'
import { following } from './following.ts'
import { identity, verification } from './identity.ts'
import { invoiceItems, invoices } from './invoices.ts'
import { issuedCards } from './issued-cards.ts'
import { issuing } from './issuing.ts'
import { issuingDisputes } from './issuing-disputes.ts'
import {
  accountLinks,
  authentication,
  invoice,
  invoicePdf,
  onboarding,
  paymentLink,
  paymentLinks,
  quotePdf,
} from './links.ts'
import { lists } from './lists.ts'
import { metering, meters } from './meters.ts'
import { invoiceSteps } from './paying.ts'
import { paymentIntentSteps, paymentIntents } from './payment-intents.ts'
import { paymentMethods } from './payment-methods.ts'
import { payoutOperations, payoutSteps, payouts } from './payouts.ts'
import { portal, portalLogin, portalSessions } from './portal.ts'
import { quotes } from './quotes.ts'
import { radar } from './radar.ts'
import { refundSteps, refunds } from './refunds.ts'
import { reporting } from './reporting.ts'
import { OWN_PARAMETERS } from './requests.ts'
import { scheduleSteps, schedules } from './schedules.ts'
import { searches } from './search.ts'
import { sessionSteps, sessions } from './sessions.ts'
import { setupIntents } from './setup-intents.ts'
import { sources } from './sources.ts'
import { type Fields, type Operations, type Steps, Stripe } from './stripe.ts'
import { subscriptions } from './subscriptions.ts'
import { registrations, tax } from './tax.ts'
import { taxes } from './taxes.ts'
import { terminal } from './terminal.ts'
import { transfers } from './transfers.ts'

const pages: Readonly<Record<string, (context: Context) => object>> = {
  '/c/pay/{id}': checkout,
  '/p/session/{id}': portal,
  '/p/login/{id}': portalLogin,
  '/b/{id}': paymentLink,
  '/i/{id}': invoice,
  '/setup/e/{id}': onboarding,
  '/start/{id}': verification,
  '/redirect/authenticate/{id}': authentication,
}

const shown = Object.fromEntries(
  Object.entries(pages).flatMap(([path, show]) => ['GET', 'POST'].map((method) => [`${method} ${path}`, show])),
)

const operations: Operations = {
  ...{
    ...accountLinks,
    ...catalog,
    ...charges,
    ...clientSecrets,
    ...clocks,
    ...completing,
    ...creditNotes,
    ...credits,
    ...customers,
    ...discounts,
    ...disputes,
  },
  ...{
    ...invoiceItems,
    ...invoices,
    ...paymentIntents,
    ...paymentLinks,
    ...paymentMethods,
    ...payoutOperations,
  },
  ...{ ...portalSessions, ...quotes, ...refunds, ...schedules, ...sessions, ...setupIntents, ...subscriptions },
  ...{
    ...features,
    ...files,
    ...lists,
    ...metering,
    ...radar,
    ...registrations,
    ...taxes,
    ...transfers,
    ...webhookEndpoints,
  },
}

const steps: Steps = {
  ...{
    ...customerSteps,
    ...discountSteps,
    ...disputeSteps,
    ...fileSteps,
    ...invoiceSteps,
    ...paymentIntentSteps,
    ...payoutSteps,
  },
  ...{ ...refundSteps, ...scheduleSteps, ...sessionSteps, ...subscriptionSteps },
}

export default {
  /** The key of a capability has the account too. */
  $account_capabilities: ({ record: { capability = null, ...rest } }: { record: Fields }) => ({
    ...rest,
    id: capability,
  }),
  ...shown,
  'GET /i/{id}/pdf': invoicePdf,
  'GET /v1/quotes/{quote}/pdf': quotePdf,
  ...{ ...accounts, ...accountSessions, ...countries, ...endpoints, ...entitlements, ...identity },
  ...{
    ...issuedCards,
    ...issuing,
    ...issuingDisputes,
    ...meters,
    ...payouts,
    ...reporting,
    ...searches,
    ...sources,
    ...tax,
    ...terminal,
  },
  ...Object.fromEntries(
    Object.entries(operations).map(([name, handle]) => [
      name,
      (context: Context) => handle(new Stripe(context, following, OWN_PARAMETERS[name])),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(steps).map(([name, act]) => [
      name,
      (context: Due): void => {
        act(new Stripe(context, following), context.record)
      },
    ]),
  ),
}
