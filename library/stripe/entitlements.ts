import type { JsonObject } from '../../src/protocol/json.ts'
import { absent, type Context, fieldsOf, find, type Kept, listOf, refused, toPage } from './context.ts'

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
