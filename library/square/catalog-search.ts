import { categoriesOf, DATA, idsIn, insideOf, related, toObject } from './catalog-objects.ts'
import {
  type Fields,
  fieldsOf,
  idsOf,
  isAmong,
  isoOf,
  type Json,
  type Kept,
  type Operations,
  type Square,
  type SquareRequest,
  sortedBy,
  textOf,
} from './square.ts'

/** Types that are listed unless others are asked for: https://developer.squareup.com/reference/square/catalog-api/list-catalog. */
const TOP_TYPES = [
  ...['ITEM', 'CATEGORY', 'TAX', 'DISCOUNT', 'MODIFIER_LIST', 'PRICING_RULE', 'PRODUCT_SET', 'TIME_PERIOD'],
  ...['MEASUREMENT_UNIT', 'SUBSCRIPTION_PLAN', 'ITEM_OPTION', 'CUSTOM_ATTRIBUTE_DEFINITION', 'QUICK_AMOUNT_SETTINGS'],
]
const SEARCHABLE = 'name description abbreviation sku upc caption display_name'.split(' ')

const dataOf = (object: Fields): Fields => Object.assign({}, ...DATA.map((name) => object[name]))

const lower = (value: Json | undefined): string => textOf(value).toLowerCase()

/** Whether a text has each word, in any case. */
const hasAll = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.toLowerCase().includes(word.toLowerCase()))

const hasOne = (ids: readonly string[], wanted: Json | undefined): boolean =>
  wanted == null || idsOf(wanted).some((id) => ids.includes(id))

/** Whether the data of an object fit each part of a query. */
function fits(query: Fields, data: Fields): boolean {
  const { exact_query, prefix_query, range_query, set_query, text_query } = query
  const asked = (part: Json | undefined): Json | undefined => data[textOf(fieldsOf(part).attribute_name)]
  const { attribute_min_value, attribute_max_value } = fieldsOf(range_query)
  const amount = Number(asked(range_query) ?? fieldsOf(data.price_money).amount)
  const texts = SEARCHABLE.map((name) => textOf(data[name])).join(' ')
  const among = idsOf(fieldsOf(set_query).attribute_values).map(lower)
  return (
    (exact_query == null || lower(asked(exact_query)) === lower(fieldsOf(exact_query).attribute_value)) &&
    (prefix_query == null || lower(asked(prefix_query)).startsWith(lower(fieldsOf(prefix_query).attribute_prefix))) &&
    (range_query == null ||
      (amount >= Number(attribute_min_value ?? 0) && amount <= Number(attribute_max_value ?? Infinity))) &&
    (set_query == null || among.includes(lower(asked(set_query)))) &&
    hasAll(texts, idsOf(fieldsOf(text_query).keywords)) &&
    hasOne(idsOf(data.tax_ids), fieldsOf(query.items_for_tax_query).tax_ids) &&
    hasOne(
      idsIn(data.modifier_list_info, 'modifier_list_id'),
      fieldsOf(query.items_for_modifier_list_query).modifier_list_ids,
    )
  )
}

function search(square: SquareRequest): Fields {
  const { object_types, include_deleted_objects, begin_time } = square.body
  const query = fieldsOf(square.body.query)
  const types = object_types ?? TOP_TYPES
  const begin = isoOf(begin_time) ?? ''
  const found = square.oldest(
    'catalog_objects',
    (object) =>
      isAmong(object.type, types) &&
      (object.is_deleted === false || include_deleted_objects === true) &&
      textOf(object.updated_at) > begin &&
      fits(query, dataOf(object)),
  )
  const { attribute_name, sort_order } = fieldsOf(query.sorted_attribute_query)
  const sorted = sortedBy(found, (object) => dataOf(object)[textOf(attribute_name)], sort_order === 'DESC')
  const { shown, next } = square.cut(sorted, { usual: 100, most: 1000 })
  const objects = shown.map((object) => toObject(square, object))
  return { ...(objects.length > 0 && { objects }), ...next, latest_time: square.time, ...related(square, shown) }
}

/** The texts of an item and its variations in which a text is searched. */
function textsOf(square: Square, item: Kept): string {
  const { name, description, abbreviation } = fieldsOf(item.item_data)
  const variations = insideOf(square, item).map((one) => fieldsOf(one.item_variation_data))
  return [name, description, abbreviation, ...variations.flatMap((one) => [one.name, one.sku, one.upc])]
    .map(textOf)
    .join(' ')
}

function searchItems(square: SquareRequest): Fields {
  const { text_filter, category_ids, product_types, archived_state, sort_order } = square.body
  const words = textOf(text_filter).split(' ')
  const found = square.oldest('catalog_objects', (object) => {
    const { product_type = 'REGULAR', is_archived = false, ...item } = fieldsOf(object.item_data)
    return (
      object.type === 'ITEM' &&
      object.is_deleted === false &&
      isAmong(product_type, product_types) &&
      (archived_state !== 'ARCHIVED_STATE_NOT_ARCHIVED' || is_archived !== true) &&
      (archived_state !== 'ARCHIVED_STATE_ARCHIVED' || is_archived === true) &&
      hasOne(categoriesOf(item), category_ids) &&
      hasAll(textsOf(square, object), words)
    )
  })
  const sorted = sortedBy(found, ({ item_data }) => fieldsOf(item_data).name, sort_order === 'DESC')
  const page = square.page('items', sorted, (item) => toObject(square, item))
  const matched = square.cut(sorted).shown.flatMap((item) => insideOf(square, item).map(({ id }) => id))
  return { ...page, ...(matched.length > 0 && { matched_variation_ids: matched }) }
}

export const catalogSearch: Operations = {
  'GET /v2/catalog/list': (square) => {
    const types = textOf(square.query.types).toUpperCase().replaceAll(' ', '')
    const wanted = types === '' ? TOP_TYPES : types.split(',')
    const found = square.oldest('catalog_objects', ({ type, is_deleted }) => !is_deleted && isAmong(type, wanted))
    return square.page('objects', found, (object) => toObject(square, object))
  },
  'POST /v2/catalog/batch-retrieve': (square) => {
    const isDeletedToo = square.body.include_deleted_objects === true
    const found = idsOf(square.body.object_ids)
      .flatMap((id) => square.records.catalog_objects.get(id) ?? [])
      .filter(({ is_deleted }) => isDeletedToo || is_deleted === false)
    return { objects: found.map((object) => toObject(square, object)), ...related(square, found) }
  },
  'POST /v2/catalog/search': search,
  'POST /v2/catalog/search-catalog-items': searchItems,
}
