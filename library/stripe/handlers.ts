import { checkout } from './checkout.ts'
import type { Context } from './context.ts'
import { authentication, invoice, invoicePdf, onboarding, paymentLink } from './links.ts'
import { portal } from './portal.ts'

const pages: Readonly<Record<string, (context: Context) => object>> = {
  '/c/pay/{id}': checkout,
  '/p/session/{id}': portal,
  '/b/{id}': paymentLink,
  '/i/{id}': invoice,
  '/setup/e/{id}': onboarding,
  '/redirect/authenticate/{id}': authentication,
}

export default {
  ...Object.fromEntries(
    Object.entries(pages).flatMap(([path, show]) => ['GET', 'POST'].map((method) => [`${method} ${path}`, show])),
  ),
  'GET /i/{id}/pdf': invoicePdf,
}
