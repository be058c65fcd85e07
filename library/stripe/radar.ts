import { type Json, type Operations, type Stripe, textOf } from './stripe.ts'

/** Shows its items in a value list. */
function keepItems(stripe: Stripe, id: Json | undefined): void {
  const list_items = {
    ...{ object: 'list', data: stripe.records.value_list_items.where({ value_list: id }), has_more: false },
    url: `/v1/radar/value_list_items?value_list=${id}`,
  }
  stripe.change('value_lists', id, { list_items })
}

/** Values of a type of list, where it has a form. https://docs.stripe.com/radar/lists */
const FORMS: Readonly<Record<string, RegExp>> = {
  card_bin: /^\d{6,8}$/,
  country: /^[A-Za-z]{2}$/,
  email: /^[^@\s]+@[^@\s]+$/,
  ip_address: /^[\d./]+$|:/,
}

/** Lists of values that rules of Radar name by their alias. */
export const radar: Operations = {
  'POST /v1/radar/value_lists': (stripe) => {
    const { alias } = stripe.body
    if (stripe.records.value_lists.some({ alias }))
      stripe.refuse(`A value list already exists with alias ${alias}.`, { param: 'alias' })
    const made = stripe.next()
    keepItems(stripe, made.id)
    return stripe.fresh('value_lists', made)
  },
  'POST /v1/radar/value_list_items': (stripe) => {
    const { value, value_list } = stripe.body
    const { item_type } =
      stripe.records.value_lists.get(value_list) ?? stripe.absent('value list', value_list, 'value_list')
    if (FORMS[textOf(item_type)]?.test(textOf(value)) === false)
      stripe.refuse(`Invalid ${item_type}: ${value}`, { param: 'value' })
    const made = stripe.next()
    keepItems(stripe, value_list)
    return made
  },
  'DELETE /v1/radar/value_list_items/{item}': (stripe) => {
    const { value_list } = stripe.own('value_list_items')
    stripe.next()
    keepItems(stripe, value_list)
  },
}
