/** What answers show of objects of the catalog. */
import {
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  type Json,
  type Kept,
  listOf,
  type Square,
  type SquareRequest,
  textOf,
  without,
} from './square.ts'

/** Where each type of object has its own fields. */
export const DATA = [
  ...['item_data', 'item_variation_data', 'category_data', 'tax_data', 'discount_data', 'modifier_list_data'],
  ...['modifier_data', 'image_data', 'subscription_plan_data', 'subscription_plan_variation_data'],
  ...['item_option_data', 'item_option_value_data', 'pricing_rule_data', 'product_set_data', 'time_period_data'],
  ...['measurement_unit_data', 'quick_amounts_settings_data', 'custom_attribute_definition_data'],
]
/** Objects that have others inside them, which are kept as objects of their own. */

export const WHOLES: Readonly<Record<string, { readonly list: string; readonly usual: Fields }>> = {
  item_data: { list: 'variations', usual: { product_type: 'REGULAR', is_archived: false } },
  modifier_list_data: { list: 'modifiers', usual: { selection_type: 'MULTIPLE' } },
  subscription_plan_data: { list: 'subscription_plan_variations', usual: {} },
}
/** The objects that are inside another one. */
export const insideOf = (square: Square, { id }: Kept, is_deleted = false): Kept[] =>
  square.oldest('catalog_objects', { parent: id, is_deleted })

export function toObject(square: Square, object: Kept): Fields {
  const wholes = Object.entries(WHOLES).flatMap(([name, { list, usual }]) => {
    if (object[name] == null) return []
    const inside = insideOf(square, object, object.is_deleted === true).map((one) => toObject(square, one))
    const data = fieldsOf(object[name])
    return [[name, { ...data, ...usual, ...filled(data), [list]: inside }]]
  })
  return filled({ ...without(object, 'parent'), ...Object.fromEntries(wholes) })
}

/** The object of an id, unless it was deleted. */
export function objectOf(square: SquareRequest, id: string, field?: string): Kept {
  const found = square.records.catalog_objects.get(id)
  return found?.is_deleted === false ? found : square.gone(`Catalog object with ID ${id} not found.`, field)
}

/** The ids of a list of `{ [name]: id }`. */
export const idsIn = (list: Json | undefined, name = 'id'): string[] => listOf(list).map((one) => textOf(one[name]))

export const categoriesOf = ({ category_id, categories, reporting_category }: Fields): string[] =>
  [category_id, ...idsIn(categories), fieldsOf(reporting_category).id].filter((id) => id != null).map(textOf)

/** The objects that others name, for a request that includes them. */
export function related(square: SquareRequest, objects: readonly Kept[]): Fields {
  const isAsked = square.query.include_related_objects ?? square.body.include_related_objects
  if (String(isAsked) !== 'true') return {}
  const ids = objects.flatMap(({ item_data, item_variation_data }) => {
    const { tax_ids, modifier_list_info, image_ids, ...item } = fieldsOf(item_data)
    return [
      ...[...idsOf(tax_ids), ...categoriesOf(item), ...idsIn(modifier_list_info, 'modifier_list_id')],
      ...[...idsOf(image_ids), textOf(fieldsOf(item_variation_data).item_id)],
    ]
  })
  const found = [...new Set(ids)].flatMap((id) => square.records.catalog_objects.get(id) ?? [])
  return {
    related_objects: found.filter((one) => one.is_deleted === false).map((one) => toObject(square, one)),
  }
}
