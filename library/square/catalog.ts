import { parseJson } from '../../src/protocol/json.ts'
import { DATA, insideOf, objectOf, related, toObject, WHOLES } from './catalog-objects.ts'
import {
  type Fields,
  fieldsOf,
  idsOf,
  type Json,
  type Kept,
  listOf,
  type Operations,
  type Square,
  type SquareRequest,
  textOf,
  without,
} from './square.ts'

const OBJECT = {
  ...{ type: '', image_id: '', present_at_all_locations: true, present_at_location_ids: [] },
  ...{ absent_at_location_ids: [], custom_attribute_values: {} },
  ...Object.fromEntries(DATA.map((name) => [name, {}])),
}
/** How an object names the one that it is inside. */
const PARENTS: Readonly<Record<string, string>> = {
  item_variation_data: 'item_id',
  modifier_data: 'modifier_list_id',
  subscription_plan_variation_data: 'subscription_plan_id',
}
const LIMITS = {
  ...{ batch_upsert_max_objects_per_batch: 1000, batch_upsert_max_total_objects: 10000 },
  ...{ batch_retrieve_max_object_ids: 1000, search_max_page_limit: 1000, batch_delete_max_object_ids: 200 },
  ...{ update_item_taxes_max_item_ids: 1000, update_item_taxes_max_taxes_to_enable: 1000 },
  ...{ update_item_taxes_max_taxes_to_disable: 1000, update_item_modifier_lists_max_item_ids: 1000 },
  update_item_modifier_lists_max_modifier_lists_to_enable: 1000,
  update_item_modifier_lists_max_modifier_lists_to_disable: 1000,
}

/** An object that is sent, with its place inside another one. */
interface Placed {
  readonly object: Fields
  readonly parent?: string
  readonly ordinal?: number
}

/** Sets fields of an object, whose version is the time of its change. */
const put = ({ records, now, time }: Square, object: Kept, fields: Fields): Kept =>
  records.catalog_objects.update(object, {
    ...fields,
    version: Math.max(now.getTime(), Number(object.version) + 1),
    updated_at: time,
  })

/** Notes that the catalog has changed. */
const noteVersion = ({ records, time }: Square): void => void records.catalog_versions.create({ updated_at: time })

/** Gives an id to an object that is sent without one, and to those inside it. */
function withIds(object: Fields, id: string): Fields {
  const wholes = Object.entries(WHOLES).flatMap(([name, { list }]) => {
    const data = fieldsOf(object[name])
    const inside = listOf(data[list]).map((one, at) => ({ id: `${id}-${at}`, ...one }))
    return data[list] == null ? [] : [[name, { ...data, [list]: inside }]]
  })
  return { id, ...object, ...Object.fromEntries(wholes) }
}

/** An object, and those inside it. */
function placed(object: Fields): Placed[] {
  const inside = Object.entries(WHOLES).flatMap(([name, { list }]) =>
    listOf(fieldsOf(object[name])[list]).map((one, ordinal) => ({ object: one, parent: textOf(object.id), ordinal })),
  )
  return [{ object }, ...inside]
}

function save(square: SquareRequest, { object, parent: outer, ordinal }: Placed): void {
  const old = square.records.catalog_objects.get(textOf(object.id))
  if (old === undefined) return
  const version = Number(old.version)
  if (version > 0 && old.is_deleted === true) square.gone(`Catalog object with ID ${old.id} was deleted.`)
  if (version > 1 && object.version !== version)
    square.refuse('VERSION_MISMATCH', 'Object version does not match latest database version.', 'version')
  const sent = square.fitting(OBJECT, object, 'object')
  if (sent.item_data != null && !fieldsOf(sent.item_data).name)
    square.refuse('INVALID_VALUE', 'An item must have a name.', 'object.item_data.name')
  const wholes = Object.entries(WHOLES).flatMap(([name, { list }]) =>
    sent[name] == null ? [] : [[name, without(fieldsOf(sent[name]), list)]],
  )
  const parts = Object.entries(PARENTS).flatMap(([name, of]): [string, Fields][] => {
    const data = fieldsOf(sent[name])
    const place = { ordinal: ordinal ?? fieldsOf(old[name]).ordinal ?? 0 }
    const price = data.pricing_type ?? (data.price_money == null ? 'VARIABLE_PRICING' : 'FIXED_PRICING')
    const more = {
      ...(name !== 'subscription_plan_variation_data' && place),
      ...(name === 'item_variation_data' && { pricing_type: price }),
    }
    const usual = name === 'item_variation_data' ? { sellable: true, stockable: true } : {}
    return sent[name] == null ? [] : [[name, { ...usual, ...data, [of]: outer ?? data[of] ?? null, ...more }]]
  })
  const [parent] = Object.entries(PARENTS).flatMap(([name, of]) => fieldsOf(sent[name])[of] ?? [])
  put(square, old, {
    ...{ ...sent, ...Object.fromEntries(wholes), ...Object.fromEntries(parts) },
    ...{ parent: outer ?? (parent == null ? (old.parent ?? null) : textOf(parent)), is_deleted: false },
  })
}

/** Creates or changes objects. New ones have ids that begin with `#`, by which others of the request name them. */
function upsert(square: SquareRequest, given: readonly Fields[]): { objects: Fields[]; id_mappings: Fields[] } {
  const { catalog_objects } = square.records
  const wholes = given.map((object, at) => withIds(object, `#backlot-${at}`))
  const all = wholes.flatMap(placed)
  const ids = new Map<Json, string>()
  for (const { object } of all) {
    const id = textOf(object.id)
    if (catalog_objects.get(id) !== undefined) continue
    if (!id.startsWith('#')) square.gone(`Catalog object with ID ${id} not found. Ids of new objects begin with #.`)
    ids.set(id, catalog_objects.create(square.fitting({ type: '' }, object, 'object')).id)
  }
  const translated = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, text: Json) => (typeof text === 'string' ? (ids.get(text) ?? text) : text))
  for (const one of translated(all)) save(square, one)
  const saved = translated(wholes).flatMap((object) => {
    const kept = catalog_objects.get(textOf(object.id))
    const { variations } = fieldsOf(object.item_data)
    const left = listOf(variations).map(({ id }) => id)
    if (kept !== undefined && variations != null)
      for (const one of insideOf(square, kept)) if (!left.includes(one.id)) put(square, one, { is_deleted: true })
    return kept ?? []
  })
  noteVersion(square)
  return {
    objects: saved.map((object) => toObject(square, object)),
    id_mappings: [...ids].map(([client_object_id, object_id]) => ({ client_object_id, object_id })),
  }
}

/** Deletes an object and those inside it. Returns their ids. */
function remove(square: Square, object: Kept): string[] {
  const all = [object, ...insideOf(square, object)]
  for (const one of all) put(square, one, { is_deleted: true })
  return all.map(({ id }) => id)
}

/** The part of a form that has the request. */
const requestIn = ({ body }: SquareRequest): Fields =>
  fieldsOf(typeof body.request === 'string' ? parseJson(body.request) : body.request)

/** Facts of an image, with the address of the sent file. */
function withUrl({ of: { files, id, origin } }: SquareRequest, image_data: Json | undefined): Fields {
  return { ...fieldsOf(image_data), url: `${origin}/v2/catalog/images/files/${id()}/${files[0]?.name ?? 'image'}` }
}

/** Changes the items that the body names. */
function changeItems(square: SquareRequest, change: (item: Fields) => Fields): Fields {
  for (const id of idsOf(square.body.item_ids)) {
    const item = objectOf(square, id, 'item_ids')
    const data = fieldsOf(item.item_data)
    put(square, item, { item_data: { ...data, ...change(data) } })
  }
  noteVersion(square)
  return { updated_at: square.time }
}

export const catalog: Operations = {
  'GET /v2/catalog/info': () => ({
    ...{ limits: LIMITS },
    standard_unit_description_group: { standard_unit_descriptions: [], language_code: 'en-US' },
  }),
  'POST /v2/catalog/object': (square) => {
    const { objects, id_mappings } = upsert(square, [fieldsOf(square.body.object)])
    return { catalog_object: objects[0], ...(id_mappings.length > 0 && { id_mappings }) }
  },
  'POST /v2/catalog/batch-upsert': (square) => {
    const given = listOf(square.body.batches).flatMap(({ objects }) => listOf(objects))
    const { objects, id_mappings } = upsert(square, given)
    return { objects, updated_at: square.time, id_mappings }
  },
  'GET /v2/catalog/object/{object_id}': (square) => {
    const object = objectOf(square, textOf(square.path.object_id))
    return { object: toObject(square, object), ...related(square, [object]) }
  },
  'DELETE /v2/catalog/object/{object_id}': (square) => {
    const deleted_object_ids = remove(square, objectOf(square, textOf(square.path.object_id)))
    noteVersion(square)
    return { deleted_object_ids, deleted_at: square.time }
  },
  'POST /v2/catalog/batch-delete': (square) => {
    const deleted_object_ids = idsOf(square.body.object_ids).flatMap((id) => {
      const object = square.records.catalog_objects.get(id)
      return object?.is_deleted === false ? remove(square, object) : []
    })
    noteVersion(square)
    return { deleted_object_ids, deleted_at: square.time }
  },
  'POST /v2/catalog/images': (square) => {
    const { image, object_id, is_primary = false } = requestIn(square)
    const asked = fieldsOf(image)
    const owner = object_id == null ? undefined : objectOf(square, textOf(object_id), 'object_id')
    const image_data = withUrl(square, asked.image_data)
    const [made] = upsert(square, [{ id: '#image', ...asked, type: 'IMAGE', image_data }]).objects
    const data = owner && DATA.find((name) => owner[name] != null)
    if (owner && data) {
      const ids = idsOf(fieldsOf(owner[data]).image_ids)
      const id = textOf(made?.id)
      const image_ids = is_primary === true ? [id, ...ids] : [...ids, id]
      put(square, owner, { [data]: { ...fieldsOf(owner[data]), image_ids } })
    }
    return { image: made }
  },
  'PUT /v2/catalog/images/{image_id}': (square) => {
    const image = objectOf(square, textOf(square.path.image_id))
    const changed = put(square, image, { image_data: withUrl(square, image.image_data) })
    noteVersion(square)
    return { image: toObject(square, changed) }
  },
  'POST /v2/catalog/update-item-taxes': (square) => {
    const [on, off] = [idsOf(square.body.taxes_to_enable), idsOf(square.body.taxes_to_disable)]
    return changeItems(square, ({ tax_ids }) => ({
      tax_ids: [...new Set([...idsOf(tax_ids), ...on])].filter((id) => !off.includes(id)),
    }))
  },
  'POST /v2/catalog/update-item-modifier-lists': (square) => {
    const [on, off] = [idsOf(square.body.modifier_lists_to_enable), idsOf(square.body.modifier_lists_to_disable)]
    return changeItems(square, ({ modifier_list_info }) => {
      const left = listOf(modifier_list_info).filter((one) => ![...on, ...off].includes(textOf(one.modifier_list_id)))
      return { modifier_list_info: [...left, ...on.map((modifier_list_id) => ({ modifier_list_id, enabled: true }))] }
    })
  },
}
