import type { Fields, Kept } from '../openai/context.ts'
import { errorOf } from './context.ts'
import { PRODUCTS } from './institutions.ts'

/** An item as it is shown. */
export function toItem({
  id,
  institution_id,
  institution_name,
  webhook,
  products,
  needs_login,
  consent_ends_at,
  created_at,
}: Kept): Fields {
  const has = products as string[]
  return {
    item_id: id,
    institution_id: institution_id ?? null,
    institution_name: institution_name ?? null,
    webhook: webhook ?? null,
    auth_method: null,
    error: needs_login === true ? errorOf('ITEM_LOGIN_REQUIRED') : null,
    available_products: PRODUCTS.filter((product) => !has.includes(product)),
    billed_products: has,
    products: has,
    consent_expiration_time: consent_ends_at ?? null,
    update_type: 'background',
    created_at: created_at ?? null,
  }
}
