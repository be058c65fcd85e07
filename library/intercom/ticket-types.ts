import {
  type Fields,
  type Form,
  type Intercom,
  type IntercomRequest,
  type Json,
  type Kept,
  numberOf,
  type Operations,
  textOf,
} from './intercom.ts'

const CATEGORIES = ['Customer', 'Back-office', 'Tracker', null]

/** A type without its attributes and states. */
const toPlainType = ({ id, name, description, icon, archived, created_at, updated_at, ...type }: Kept): Fields =>
  ({
    ...{ type: 'ticket_type', id, name, description, icon, workspace_id: 'backlot', archived, created_at, updated_at },
    ...{ is_internal: type.is_internal, category: type.category },
  }) as Fields

const toAttribute = (attribute: Kept): Fields => ({ ...attribute, ticket_type_id: numberOf(attribute.ticket_type_id) })

const allAttributes = (intercom: Intercom, ticket_type_id: Json | undefined): Kept[] =>
  intercom.all('ticket_type_attributes', { ticket_type_id: textOf(ticket_type_id) })

/** The attributes of a type that tickets may have. */
export const attributesOf = (intercom: Intercom, typeId: Json | undefined): Kept[] =>
  allAttributes(intercom, typeId).filter(({ archived }) => archived === false)

export const toType = (intercom: Intercom, type: Kept): Fields => ({
  ...toPlainType(type),
  ticket_type_attributes: { type: 'list', data: allAttributes(intercom, type.id).map(toAttribute) },
  ticket_states: { type: 'list', data: intercom.all('ticket_states') },
})

const typeOf = (intercom: IntercomRequest): Kept => intercom.find('ticket_types', intercom.path.ticket_type_id)

const TYPE: Form = { name: 'text', description: 'text', icon: 'text', category: 'text', is_internal: 'flag' }
const ATTRIBUTE: Form = {
  ...{ name: 'text', description: 'text', required_to_create: 'flag', required_to_create_for_contacts: 'flag' },
  ...{ visible_on_create: 'flag', visible_to_contacts: 'flag' },
}

/** What may be entered: the items of a list, or one or several lines. */
function inputOf(intercom: IntercomRequest, dataType: string): Fields {
  const { list_items, multiline } = intercom.given({ list_items: 'text', multiline: 'flag' })
  if (dataType === 'string') return { multiline: multiline ?? false }
  if (dataType !== 'list') return {}
  return {
    type: 'list',
    items: textOf(list_items)
      .split(',')
      .map((name) => ({ id: name, name })),
  }
}

const needName = (intercom: IntercomRequest) => intercom.need('name', () => 'Name is a required parameter.')

const ONE = '/ticket_types/{ticket_type_id}'

export const ticketTypes: Operations = {
  'GET /ticket_states': (intercom) => {
    const types = intercom.all('ticket_types').map(toPlainType)
    const data = intercom
      .all('ticket_states')
      .map((state) => ({ ...state, archived: false, ticket_types: { type: 'list', data: types } }))
    return { type: 'list', data }
  },
  'GET /ticket_types': (intercom) => {
    return { type: 'list', data: intercom.all('ticket_types').map((type) => toType(intercom, type)) }
  },
  'POST /ticket_types': (intercom) => {
    const { records, times } = intercom
    needName(intercom)
    intercom.choose('category', CATEGORIES)
    const fields = { icon: '🎟️', category: 'Customer', ...intercom.given(TYPE), ...times }
    const type = records.ticket_types.create(fields)
    for (const [order, name] of ['_default_title_', '_default_description_'].entries())
      records.ticket_type_attributes.create({ ticket_type_id: type.id, name, order, default: true, ...times })
    return toType(intercom, type)
  },
  [`GET ${ONE}`]: (intercom) => toType(intercom, typeOf(intercom)),
  [`PUT ${ONE}`]: (intercom) => {
    const type = typeOf(intercom)
    intercom.choose('category', CATEGORIES)
    return toType(intercom, intercom.update('ticket_types', type, intercom.sent({ ...TYPE, archived: 'flag' })))
  },
  [`POST ${ONE}/attributes`]: (intercom) => {
    const { records, body, times } = intercom
    const { id: ticket_type_id } = typeOf(intercom)
    needName(intercom)
    const fields = intercom.given(ATTRIBUTE)
    const data_type = textOf(body.data_type)
    if (!['string', 'list', 'integer', 'decimal', 'boolean', 'datetime', 'files'].includes(data_type))
      intercom.invalid("Data Type isn't an option")
    const others = allAttributes(intercom, ticket_type_id)
    if (others.some(({ name }) => name === fields.name)) intercom.invalid('An attribute with this name already exists')
    const attribute = records.ticket_type_attributes.create({
      ...{ ticket_type_id, data_type, order: others.length, input_options: inputOf(intercom, data_type) },
      ...{ ...fields, ...times },
    })
    return toAttribute(attribute)
  },
  [`PUT ${ONE}/attributes/{attribute_id}`]: (intercom) => {
    const { id: ticket_type_id } = typeOf(intercom)
    const { attribute_id: id = '' } = intercom.path
    const attribute = intercom.records.ticket_type_attributes.find({ id, ticket_type_id }) ?? intercom.gone()
    const fields = intercom.sent({ ...ATTRIBUTE, archived: 'flag' })
    return toAttribute(intercom.update('ticket_type_attributes', attribute, fields))
  },
}
