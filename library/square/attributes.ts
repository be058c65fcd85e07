import { type Fields, fieldsOf, type Json, type Kept } from '../shared/values.ts'
import { type Context, checkVersion, missing, needed, nextOf, pageOf, refuseField, timesOf } from './context.ts'

type Owners = 'bookings' | 'customers' | 'locations' | 'merchants' | 'orders'

const toDefinition = ({ id: _, kind: _k, ...definition }: Kept): Fields => definition

/** Custom attributes of the records of a collection. @param param names a record in paths and bodies */
function attributesOf(kind: Owners, param: string) {
  const definitionOf = ({ records }: Context, key: unknown): Kept | undefined =>
    records.attribute_definitions.find({ kind, key: String(key) })
  const definition = (context: Context): Kept =>
    definitionOf(context, context.path.key) ?? missing(context, 'Custom attribute definition not found.')
  const owner = (context: Context, id: unknown): string => {
    const found = context.records[kind].get(String(id))
    return found?.id ?? missing(context, `There is no record with the ID ${String(id)}.`)
  }
  const attributeOf = ({ records }: Context, of: string, key: unknown): Kept | undefined =>
    records.attributes.find({ owner: `${kind} ${of}`, key: String(key) })
  const attribute = (context: Context): Kept =>
    attributeOf(context, owner(context, context.path[param]), context.path.key) ??
    missing(context, 'Custom attribute not found.')
  const shown = (context: Context, { id: _, owner: _o, ...one }: Kept, isWhole = false): Fields => {
    const found = definitionOf(context, one.key)
    const more = isWhole && found !== undefined ? { definition: toDefinition(found) } : {}
    return { ...one, visibility: found?.visibility ?? 'VISIBILITY_HIDDEN', ...more }
  }
  const upsert = (context: Context, id: unknown, key: unknown, value: Json = null): Fields => {
    const { attributes } = context.records
    const of = owner(context, id)
    if (definitionOf(context, key) === undefined) missing(context, 'Custom attribute definition not found.')
    const known = attributeOf(context, of, key)
    const facts = { owner: `${kind} ${of}`, key: String(key), value, version: 1, ...timesOf(context) }
    return shown(
      context,
      known ? attributes.update(known.id, { value, ...nextOf(context, known) }) : attributes.create(facts),
    )
  }
  /** The answer of each of many requests, by their ids. */
  const each = (context: Context, act: (one: Fields) => Fields): Fields => {
    const asked = Object.entries(fieldsOf(context.body.values))
    return { values: Object.fromEntries(asked.map(([id, one]) => [id, act(fieldsOf(one))])) }
  }
  const [base, one] = [`/v2/${kind}`, `/v2/${kind}/{${param}}`]
  return {
    [`POST ${base}/custom-attribute-definitions`]: (context: Context) => {
      const key = needed(context, 'custom_attribute_definition', 'key')
      if (definitionOf(context, key) !== undefined)
        refuseField(context, 'custom_attribute_definition.key', 'BAD_REQUEST', 'The key has a definition already.')
      const given = fieldsOf(context.body.custom_attribute_definition)
      const made = context.records.attribute_definitions.create({ kind, ...given, version: 1, ...timesOf(context) })
      return { custom_attribute_definition: toDefinition(made) }
    },
    [`GET ${base}/custom-attribute-definitions`]: (context: Context) => {
      const found = context.records.attribute_definitions.where({ kind })
      return pageOf(context, 'custom_attribute_definitions', found.map(toDefinition))
    },
    [`GET ${base}/custom-attribute-definitions/{key}`]: (context: Context) => ({
      custom_attribute_definition: toDefinition(definition(context)),
    }),
    [`PUT ${base}/custom-attribute-definitions/{key}`]: (context: Context) => {
      const known = definition(context)
      checkVersion(context, 'custom_attribute_definition', known)
      const { key: _, ...given } = fieldsOf(context.body.custom_attribute_definition)
      const next = context.records.attribute_definitions.update(known.id, { ...given, ...nextOf(context, known) })
      return { custom_attribute_definition: toDefinition(next) }
    },
    [`DELETE ${base}/custom-attribute-definitions/{key}`]: (context: Context) => {
      const { id, key } = definition(context)
      for (const each of context.records.attributes.where((it) => it.key === key && String(it.owner).startsWith(kind)))
        context.records.attributes.remove(each.id)
      context.records.attribute_definitions.remove(id)
      return {}
    },
    [`POST ${base}/custom-attributes/bulk-upsert`]: (context: Context) =>
      each(context, (asked) => {
        const { key, value } = fieldsOf(asked.custom_attribute)
        return { [param]: asked[param] ?? null, custom_attribute: upsert(context, asked[param], key, value) }
      }),
    [`POST ${base}/custom-attributes/bulk-delete`]: (context: Context) =>
      each(context, (asked) => {
        const found = attributeOf(context, owner(context, asked[param]), asked.key)
        if (found !== undefined) context.records.attributes.remove(found.id)
        return { [param]: asked[param] ?? null }
      }),
    [`GET ${one}/custom-attributes`]: (context: Context) => {
      const of = owner(context, context.path[param])
      const isWhole = String(context.query.with_definitions) === 'true'
      const found = context.records.attributes.where({ owner: `${kind} ${of}` })
      const all = found.map((it) => shown(context, it, isWhole))
      return pageOf(context, 'custom_attributes', all)
    },
    [`GET ${one}/custom-attributes/{key}`]: (context: Context) => ({
      custom_attribute: shown(context, attribute(context), String(context.query.with_definition) === 'true'),
    }),
    [`POST ${one}/custom-attributes/{key}`]: (context: Context) => {
      const known = attributeOf(context, String(context.path[param]), context.path.key)
      if (known !== undefined) checkVersion(context, 'custom_attribute', known)
      const { value } = fieldsOf(context.body.custom_attribute)
      return { custom_attribute: upsert(context, context.path[param], context.path.key, value) }
    },
    [`DELETE ${one}/custom-attributes/{key}`]: (context: Context) => {
      context.records.attributes.remove(attribute(context).id)
      return {}
    },
  }
}

export const attributes = {
  ...{ ...attributesOf('bookings', 'booking_id'), ...attributesOf('customers', 'customer_id') },
  ...{ ...attributesOf('locations', 'location_id'), ...attributesOf('merchants', 'merchant_id') },
  ...attributesOf('orders', 'order_id'),
}
