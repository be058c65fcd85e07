import type { JsonObject } from '../../src/protocol/json.ts'
import { apportioned } from '../shared/apportioned.ts'
import { accountSessions } from './account-sessions.ts'
import { accounts } from './accounts.ts'
import { checkout, customFields, strayParam } from './checkout.ts'
import { clocks } from './clocks.ts'
import type { Context } from './context.ts'
import { countries } from './countries.ts'
import { declineOf, emptyEvidence, outcomeOf } from './declines.ts'
import { endpoints } from './endpoints.ts'
import { entitlements } from './entitlements.ts'
import { identity, verification } from './identity.ts'
import { issuing } from './issuing.ts'
import { authentication, invoice, invoicePdf, links, onboarding, pageHost, paymentLink, quotePdf } from './links.ts'
import { meters } from './meters.ts'
import { payouts } from './payouts.ts'
import { flowOf, portal, portalLogin } from './portal.ts'
import { amountOf, fitMethods, leastOf, tiersOf, unfitMethod } from './prices.ts'
import { reporting } from './reporting.ts'
import { searches } from './search.ts'
import { bankCode, sourceOf, sources, tokenCard } from './sources.ts'
import { tax } from './tax.ts'
import { terminal } from './terminal.ts'

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

export default {
  ...shown,
  'GET /i/{id}/pdf': invoicePdf,
  'GET /v1/quotes/{quote}/pdf': quotePdf,
  ...accounts,
  ...accountSessions,
  ...clocks,
  ...countries,
  ...endpoints,
  ...entitlements,
  ...identity,
  ...issuing,
  ...links,
  ...meters,
  ...payouts,
  ...reporting,
  ...searches,
  ...sources,
  ...tax,
  $apportioned: apportioned,
  $bankCode: bankCode,
  $customFields: customFields,
  $declineOf: declineOf,
  $emptyEvidence: emptyEvidence,
  $flowOf: flowOf,
  $fitMethods: fitMethods,
  $leastOf: leastOf,
  $outcomeOf: outcomeOf,
  $pageHost: pageHost,
  $sourceOf: sourceOf,
  $strayParam: strayParam,
  $tiersOf: tiersOf,
  $tokenCard: tokenCard,
  $unfitMethod: unfitMethod,
  $priceOf: ({ of, quantity, currency }: JsonObject) => amountOf(of, Number(quantity) || 0, String(currency)),
  ...terminal,
}
