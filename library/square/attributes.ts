import {
  type Fields,
  fieldsOf,
  idsOf,
  isoOf,
  type Json,
  type Kept,
  type Operations,
  type SquareRequest,
  textOf,
} from './square.ts'

type Owners = 'bookings' | 'customers' | 'locations' | 'merchants' | 'orders'

/** Values by the name that ends the `$ref` of a schema: https://developer.squareup.com/docs/devtools/customattributes/overview. */
const FITS: Readonly<Record<string, (value: Json) => boolean>> = {
  Address: (value) => Object.keys(fieldsOf(value)).length > 0,
  Boolean: (value) => typeof value === 'boolean',
  Date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(textOf(value)) && isoOf(value) !== undefined,
  DateTime: (value) => textOf(value).includes('T') && isoOf(value) !== undefined,
  Email: (value) => textOf(value).includes('@'),
  Number: (value) => ['number', 'string'].includes(typeof value) && /^-?\d+(\.\d{1,5})?$/.test(textOf(value)),
  PhoneNumber: (value) => /^\+\d{7,15}$/.test(textOf(value)),
  String: (value) => typeof value === 'string' && value.length <= 1000,
}

/** Whether a schema lets a value pass. A selection is a list of ids of its items. */
function isFitting(schema: Fields, value: Json): boolean {
  const { items, maxItems = 1 } = schema
  if (items == null) return FITS[/\w*$/.exec(textOf(schema.$ref))?.[0] ?? '']?.(value) ?? true
  const chosen = idsOf(value)
  const known = idsOf(fieldsOf(items).enum)
  return Array.isArray(value) && chosen.length <= Number(maxItems) && chosen.every((id) => known.includes(id))
}

/** The schema of a definition; the items of a selection get ids, and keep them when others come. */
function schemaOf(square: SquareRequest, sent: Json | undefined, before?: Json): Fields {
  const schema = { ...fieldsOf(before), ...fieldsOf(sent) }
  const { names, ...items } = fieldsOf(schema.items)
  if (names == null) return schema
  const known = fieldsOf(fieldsOf(before).items)
  const idOf = (name: string) => idsOf(known.enum)[idsOf(known.names).indexOf(name)] ?? square.uuid()
  return { ...schema, items: { names, enum: idsOf(names).map(idOf), ...items } }
}

/** What a key begins with for other applications. */
const APPLICATION = 'sandbox-sq0idb-backlot'

const toDefinition = ({ id: _, kind: _k, ...definition }: Kept): Fields => definition

/** Custom attributes of the records of a collection. @param param names a record in paths and bodies */
function attributesOf(kind: Owners, param: string): Operations {
  const definitionOf = ({ records }: SquareRequest, key: unknown): Kept | undefined =>
    records.attribute_definitions.find({ kind, key: String(key) })
  const definition = (square: SquareRequest): Kept =>
    definitionOf(square, square.path.key) ?? square.gone('Custom attribute definition not found.')
  const owner = (square: SquareRequest, id: unknown): string => {
    const found = square.records[kind].get(String(id))
    return found?.id ?? square.gone(`There is no record with the ID ${String(id)}.`)
  }
  const attributeOf = ({ records }: SquareRequest, of: string, key: unknown): Kept | undefined =>
    records.attributes.find({ owner: `${kind} ${of}`, key: String(key) })
  const attribute = (square: SquareRequest): Kept =>
    attributeOf(square, owner(square, square.path[param]), square.path.key) ??
    square.gone('Custom attribute not found.')
  const shown = (square: SquareRequest, { id: _, owner: _o, ...one }: Kept, isWhole = false): Fields => {
    const found = definitionOf(square, one.key)
    const more = isWhole && found !== undefined ? { definition: toDefinition(found) } : {}
    return { ...one, visibility: found?.visibility ?? 'VISIBILITY_HIDDEN', ...more }
  }
  /** Sends the events of a definition, or of a value of it, to those of customers and orders. @param at the end of its name */
  const announce = (square: SquareRequest, what: string, done: string, of: Fields, at = ''): void => {
    if (kind !== 'customers' && kind !== 'orders') return
    const { key, visibility = 'VISIBILITY_HIDDEN' } = of
    const name = `${APPLICATION}:${textOf(key)}`
    const data = { type: what, id: `${name}${at}`, ...(done === 'deleted' && { deleted: true }) }
    for (const to of visibility === 'VISIBILITY_HIDDEN' ? ['owned'] : ['owned', 'visible'])
      square.announce(`${kind.slice(0, -1)}.${what}.${to}.${done}`, { ...data, object: { ...of, key: name } })
  }
  const announceValue = (square: SquareRequest, done: string, of: string, one: Fields): void =>
    announce(square, 'custom_attribute', done, one, `:${kind.slice(0, -1).toUpperCase()}:${of}`)
  const defined = (square: SquareRequest, done: string, one: Kept): Fields => {
    announce(square, 'custom_attribute_definition', done, toDefinition(one))
    return { custom_attribute_definition: toDefinition(one) }
  }
  const remove = (square: SquareRequest, of: string, one: Kept): void => {
    announceValue(square, 'deleted', of, shown(square, one))
    square.records.attributes.remove(one.id)
  }
  const upsert = (square: SquareRequest, id: unknown, key: unknown, value: Json = null): Fields => {
    const { attributes } = square.records
    const of = owner(square, id)
    const definition = definitionOf(square, key) ?? square.gone('Custom attribute definition not found.')
    if (!isFitting(fieldsOf(definition.schema), value))
      square.refuse('INVALID_VALUE', 'The value does not fit the schema of its definition.', 'custom_attribute.value')
    const known = attributeOf(square, of, key)
    const facts = { owner: `${kind} ${of}`, key: String(key), value, version: 1, ...square.times }
    const one = shown(square, known ? square.change('attributes', known, { value }) : attributes.create(facts))
    announceValue(square, 'updated', of, one)
    return one
  }
  /** The answer of each of many requests, by their ids. */
  const each = (square: SquareRequest, act: (one: Fields) => Fields): Fields => {
    const asked = Object.entries(fieldsOf(square.body.values))
    return { values: Object.fromEntries(asked.map(([id, one]) => [id, act(fieldsOf(one))])) }
  }
  const [base, one] = [`/v2/${kind}`, `/v2/${kind}/{${param}}`]
  return {
    [`POST ${base}/custom-attribute-definitions`]: (square) => {
      const given = fieldsOf(square.body.custom_attribute_definition)
      if (given.key == null) square.unset('custom_attribute_definition.key')
      if (definitionOf(square, given.key) !== undefined)
        square.refuse('BAD_REQUEST', 'The key has a definition already.', 'custom_attribute_definition.key')
      const schema = schemaOf(square, given.schema)
      const facts = { kind, ...given, schema, version: 1, ...square.times }
      return defined(square, 'created', square.records.attribute_definitions.create(facts))
    },
    [`GET ${base}/custom-attribute-definitions`]: (square) => {
      const found = square.records.attribute_definitions.where({ kind })
      return square.page('custom_attribute_definitions', found, toDefinition)
    },
    [`GET ${base}/custom-attribute-definitions/{key}`]: (square) => ({
      custom_attribute_definition: toDefinition(definition(square)),
    }),
    [`PUT ${base}/custom-attribute-definitions/{key}`]: (square) => {
      const known = definition(square)
      const { key: _, version, ...given } = fieldsOf(square.body.custom_attribute_definition)
      square.checkConflict(version, known, 'custom_attribute_definition.version')
      const schema = schemaOf(square, given.schema, known.schema)
      return defined(square, 'updated', square.change('attribute_definitions', known, { ...given, schema }))
    },
    [`DELETE ${base}/custom-attribute-definitions/{key}`]: (square) => {
      const known = definition(square)
      const { id, key } = known
      for (const each of square.records.attributes.where((it) => it.key === key && String(it.owner).startsWith(kind)))
        square.records.attributes.remove(each.id)
      square.records.attribute_definitions.remove(id)
      defined(square, 'deleted', known)
      return {}
    },
    [`POST ${base}/custom-attributes/bulk-upsert`]: (square) =>
      each(square, (asked) => {
        const { key, value } = fieldsOf(asked.custom_attribute)
        return { [param]: asked[param] ?? null, custom_attribute: upsert(square, asked[param], key, value) }
      }),
    [`POST ${base}/custom-attributes/bulk-delete`]: (square) =>
      each(square, (asked) => {
        const of = owner(square, asked[param])
        const found = attributeOf(square, of, asked.key)
        if (found !== undefined) remove(square, of, found)
        return { [param]: asked[param] ?? null }
      }),
    [`GET ${one}/custom-attributes`]: (square) => {
      const of = owner(square, square.path[param])
      const isWhole = String(square.query.with_definitions) === 'true'
      const found = square.records.attributes.where({ owner: `${kind} ${of}` })
      return square.page('custom_attributes', found, (it) => shown(square, it, isWhole))
    },
    [`GET ${one}/custom-attributes/{key}`]: (square) => ({
      custom_attribute: shown(square, attribute(square), String(square.query.with_definition) === 'true'),
    }),
    [`${kind === 'bookings' ? 'PUT' : 'POST'} ${one}/custom-attributes/{key}`]: (square) => {
      const known = attributeOf(square, String(square.path[param]), square.path.key)
      const { value, version } = fieldsOf(square.body.custom_attribute)
      if (known !== undefined) square.checkConflict(version, known, 'custom_attribute.version')
      return { custom_attribute: upsert(square, square.path[param], square.path.key, value) }
    },
    [`DELETE ${one}/custom-attributes/{key}`]: (square) => {
      remove(square, String(square.path[param]), attribute(square))
      return {}
    },
  }
}

export const attributes: Operations = {
  ...{ ...attributesOf('bookings', 'booking_id'), ...attributesOf('customers', 'customer_id') },
  ...{ ...attributesOf('locations', 'location_id'), ...attributesOf('merchants', 'merchant_id') },
  ...attributesOf('orders', 'order_id'),
}
