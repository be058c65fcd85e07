import { type Fields, fieldsOf, type Json, listOf } from '../shared/values.ts'
import type { Context } from './context.ts'

/** An object of the catalog as another operation answers it. */
const objectOf = (context: Context, id: unknown): Fields =>
  fieldsOf(fieldsOf(context.call('GET', `/v2/catalog/object/${String(id)}`).body).object)

function save(context: Context, object: Fields): Fields {
  const { status, body } = context.call('POST', '/v2/catalog/object', { idempotency_key: context.id(), object })
  const answer = fieldsOf(body)
  return status === 200 ? answer : (context.respond({ status, body: JSON.stringify(answer) }) as Fields)
}

/** The part of a form that has the request. */
const sentWith = ({ body }: Context): Fields =>
  typeof body.request === 'string' ? fieldsOf(JSON.parse(body.request)) : fieldsOf(body.request)

/** Facts of an image, with the address of the sent file. */
function withUrl({ files: [file], id, origin }: Context, image_data: Json | undefined): Fields {
  return { ...fieldsOf(image_data), url: `${origin}/v2/catalog/images/files/${id()}/${file?.name ?? 'image'}` }
}

/** Operations on the catalog that change its objects. */
export const catalog = {
  'POST /v2/catalog/images': (context: Context) => {
    const { image, object_id, is_primary = false } = sentWith(context)
    const { image_data, ...asked } = fieldsOf(image)
    const { catalog_object } = save(context, {
      id: '#image',
      ...asked,
      type: 'IMAGE',
      image_data: withUrl(context, image_data),
    })
    const made = fieldsOf(catalog_object)
    if (object_id != null) {
      const { item_data, ...owner } = objectOf(context, object_id)
      const ids = [fieldsOf(item_data).image_ids ?? []].flat()
      const image_ids = is_primary === true ? [made.id ?? null, ...ids] : [...ids, made.id ?? null]
      save(context, { ...owner, item_data: { ...fieldsOf(item_data), image_ids } })
    }
    return { image: made }
  },
  'PUT /v2/catalog/images/{image_id}': (context: Context) => {
    const { image_data, ...image } = objectOf(context, context.path.image_id)
    const { catalog_object = null } = save(context, { ...image, image_data: withUrl(context, image_data) })
    return { image: catalog_object }
  },
  'POST /v2/catalog/update-item-modifier-lists': (context: Context) => {
    const { item_ids, modifier_lists_to_enable, modifier_lists_to_disable } = context.body
    const [on, off] = [modifier_lists_to_enable, modifier_lists_to_disable].map((list) => [list ?? []].flat())
    for (const id of [item_ids ?? []].flat()) {
      const { item_data, ...item } = objectOf(context, id)
      const left = listOf(fieldsOf(item_data).modifier_list_info).filter(
        ({ modifier_list_id = null }) => !on?.includes(modifier_list_id) && !off?.includes(modifier_list_id),
      )
      const added = (on ?? []).map((modifier_list_id) => ({ modifier_list_id, enabled: true }))
      save(context, { ...item, item_data: { ...fieldsOf(item_data), modifier_list_info: [...left, ...added] } })
    }
    return { updated_at: context.now.toISOString() }
  },
}
