import type { JsonObject } from '../../src/protocol/json.ts'
import { absent, type Context, fieldsOf, find, type Kept, listOf, refused, textOf, toPage } from './context.ts'
import { isOneOf, type Json, type Operations, type Stripe } from './stripe.ts'

const urlOf = (product: Kept): string => `/v1/products/${product.id}/features`

/** A product's feature with the feature itself, as Stripe shows it. */
function shown({ records }: Context, { id, entitlement_feature }: JsonObject): JsonObject {
  const feature = fieldsOf(records.features.get(String(entitlement_feature)))
  return { id: id ?? null, object: 'product_feature', entitlement_feature: feature, livemode: false }
}

const productOf = (context: Context): Kept => find(context, 'products', context.path.product)

const ownOf = (context: Context): JsonObject =>
  listOf(productOf(context).features).find(({ id }) => id === context.path.id) ??
  absent(context, 'product_feature', context.path.id)

/** The features of products: who subscribes to a product is entitled to them. */
export const entitlements = {
  'GET /v1/products/{product}/features': (context: Context) => {
    const product = productOf(context)
    const features = listOf(product.features).map((one) => shown(context, one))
    return toPage(context, urlOf(product), features)
  },
  'POST /v1/products/{product}/features': (context: Context) => {
    const product = productOf(context)
    const feature = find(context, 'features', context.body.entitlement_feature, 'entitlement_feature')
    const attached = listOf(product.features)
    if (attached.some(({ entitlement_feature }) => entitlement_feature === feature.id))
      return refused(context, 'entitlement_feature', `The feature ${feature.id} is already attached to this product.`)
    const own = { id: context.id('prodft_'), entitlement_feature: feature.id }
    context.records.products.update(product.id, { features: [own, ...attached] })
    return shown(context, own)
  },
  'GET /v1/products/{product}/features/{id}': (context: Context) => shown(context, ownOf(context)),
  'DELETE /v1/products/{product}/features/{id}': (context: Context) => {
    const product = productOf(context)
    const { id = null } = ownOf(context)
    const features = listOf(product.features).filter((one) => one.id !== id)
    context.records.products.update(product.id, { features })
    return { id, object: 'product_feature', deleted: true }
  },
}

export const features: Operations = {
  'POST /v1/entitlements/features': (stripe) => {
    const { lookup_key } = stripe.body
    if (stripe.records.features.some({ lookup_key }))
      stripe.refuse(`A feature with the lookup key \`${lookup_key}\` already exists.`, {
        ...{ param: 'lookup_key', reason: 'resource_already_exists' },
      })
    return stripe.next()
  },
}

const without = (list: readonly Json[], gone: readonly Json[]): Json[] => list.filter((one) => !gone.includes(one))

/** Keeps what a customer is entitled to: the features of the products of its subscriptions. */
export function entitle(stripe: Stripe, { customer }: Kept): void {
  const { records } = stripe
  const id = textOf(customer)
  const existing = stripe.oldest('active_entitlements', { customer: id })
  const had = existing.map(({ feature = null }) => feature)
  const items = stripe
    .oldest('subscriptions', (one) => one.customer === id && isOneOf(one.status, 'active', 'trialing', 'past_due'))
    .flatMap((one) => listOf(fieldsOf(one.items).data))
  const features = items.flatMap(({ price }) => listOf(records.products.get(fieldsOf(price).product)?.features))
  const wanted = [...new Set(features.map(({ entitlement_feature = null }) => entitlement_feature))]
  const [lost, won] = [without(had, wanted), without(wanted, had)]
  for (const one of existing) if (lost.includes(one.feature ?? null)) records.active_entitlements.remove(one.id)
  for (const feature of won.flatMap((one) => records.features.get(one) ?? []))
    records.active_entitlements.create({ customer: id, feature: feature.id, lookup_key: feature.lookup_key })
  if (lost.length + won.length === 0) return
  if (records.entitlement_summaries.get(id) === undefined) records.entitlement_summaries.create({ id, customer: id })
  const data = stripe.oldest('active_entitlements', { customer: id })
  const url = `/v1/customer/${id}/entitlements`
  records.entitlement_summaries.update(id, { entitlements: { object: 'list', data, has_more: false, url } })
}
