import { isJsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, HOUR_S, inside, isGiven, type Json, type Operations } from './stripe.ts'

const OFF = { enabled: false }
/** What the Payment Element may do with the saved methods of a customer. https://docs.stripe.com/api/customer_sessions/object */
const SAVED = {
  payment_method_allow_redisplay_filters: ['always'],
  payment_method_redisplay: 'disabled',
  payment_method_redisplay_limit: 3,
  payment_method_remove: 'disabled',
  payment_method_save: 'disabled',
  payment_method_save_usage: null,
}

/** A value with what was sent of it, at any depth. */
const over = (usual: Json, sent: Json | undefined): Json =>
  isJsonObject(sent)
    ? {
        ...fieldsOf(usual),
        ...Object.fromEntries(
          Object.entries(sent).map(([name, value]) => [name, over(fieldsOf(usual)[name] ?? null, value)]),
        ),
      }
    : (sent ?? usual)

/** Secrets that a client of a customer gets: an app's, or a page's. */
export const clientSecrets: Operations = {
  'POST /v1/ephemeral_keys': (stripe) => ({
    id: stripe.id('ephkey_'),
    object: 'ephemeral_key',
    associated_objects: isGiven(stripe.body.customer) ? [{ id: stripe.body.customer, type: 'customer' }] : [],
    created: stripe.unix,
    expires: stripe.unix + HOUR_S,
    livemode: false,
    secret: `ek_test_${stripe.letters(48)}`,
  }),
  'DELETE /v1/ephemeral_keys/{key}': ({ path }) => ({ id: path.key, object: 'ephemeral_key', deleted: true }),
  'POST /v1/customer_sessions': (stripe) => {
    const { components, customer = null } = stripe.body
    const hasElement = inside(components, 'payment_element.enabled') === true
    const usual = {
      ...{ active_entitlements: OFF, buy_button: OFF, customer_portal: OFF },
      ...{ customer_sheet: { ...OFF, features: null }, mobile_payment_element: { ...OFF, features: null } },
      payment_element: { ...OFF, features: hasElement ? SAVED : null },
      pricing_table: OFF,
    }
    return {
      object: 'customer_session',
      client_secret: `cuss_secret_${stripe.letters(48)}`,
      components: over(usual, components),
      created: stripe.unix,
      customer,
      customer_account: null,
      expires_at: stripe.later(30, 'minute'),
      livemode: false,
    }
  },
}
