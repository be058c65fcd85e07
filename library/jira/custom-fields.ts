import type { Fields, Jira, Kept, Operations, Shown } from './jira.ts'
import { fieldsOf, isAsked, listOf, matching, pick, same } from './jira.ts'

/** The one context of a custom field. */
function contextOf(jira: Jira): { id: string; name: unknown } {
  const { fieldId = '', contextId } = jira.path
  const { custom, name, schema }: Fields = jira.lookUp('fields', fieldId) ?? {}
  const id = String(fieldsOf(schema).customId)
  if (custom !== true || (contextId ?? id) !== id)
    jira.fail(404, `The custom field '${fieldId}' or its context was not found.`)
  return { id, name }
}
const optionsOf = (jira: Jira): Kept[] => jira.all('options', { _field: `customfield_${contextOf(jira).id}` })
const showOption = ({ id, value, _parent = null }: Kept): Shown => ({
  ...{ id, value, disabled: false },
  ...(_parent !== null && { optionId: _parent }),
})

/** Fields, and the options of custom ones. */
export const customFields: Operations = {
  'GET field/search': (jira) => {
    const { id: ids, type } = jira.query
    const isFound = ({ id, custom }: Kept): boolean =>
      isAsked(ids, id) && isAsked(type, custom === true ? 'custom' : 'system')
    return jira.list('fields', matching(jira, jira.all('fields').filter(isFound)))
  },
  'GET field/{fieldId}/context': (jira) =>
    jira.page([contextOf(jira)], ({ id, name }) => ({
      ...{ id, name: `Default Configuration Scheme for ${name}`, description: '' },
      ...{ isGlobalContext: true, isAnyIssueType: true },
    })),
  'GET field/{fieldId}/context/{contextId}/option': (jira) => jira.page(optionsOf(jira), showOption),
  'POST field/{fieldId}/context/{contextId}/option': (jira) => {
    const [{ fieldId }, known] = [jira.path, optionsOf(jira)]
    const made = listOf(jira.body.options).map(({ value = '', optionId: _parent = null }) => {
      if (_parent !== null && !known.some(({ id }) => id === _parent)) jira.fail(404, `There is no option ${_parent}.`)
      if (known.some((one) => (one._parent ?? null) === _parent && same(one.value, value)))
        jira.fail(400, `An option with the value '${value}' exists already.`)
      const id = jira.next('options')
      const facts = { value, _parent, _field: fieldId ?? null }
      return jira.records.options.create({ id, self: `customFieldOption/${id}`, ...facts })
    })
    return { options: made.map(showOption) }
  },
  'PUT field/{fieldId}/context/{contextId}/option': (jira) => {
    const changed = listOf(jira.body.options).map((one) => {
      const { id } = optionsOf(jira).find(({ id }) => id === one.id) ?? jira.fail(404, `There is no option ${one.id}.`)
      return jira.records.options.update(id, pick(one, 'value'))
    })
    return { options: changed.map(showOption) }
  },
  'DELETE field/{fieldId}/context/{contextId}/option/{optionId}': (jira) => {
    if (!optionsOf(jira).some(({ id }) => id === jira.path.optionId))
      jira.fail(404, `There is no option ${jira.path.optionId}.`)
    jira.remove('options')
  },
  'POST field': (jira) => {
    const { name = '', type = '', description = '' } = jira.body
    const given = jira.lookUp('field_types', type)?.schema
    const types = jira.all('field_types').map(({ id }) => id)
    const absent = `The custom field type '${type}' does not exist here. Send one of ${types.join(', ')}.`
    if (name === '') jira.failField('name', 'You must specify a name for the custom field.')
    if (given === undefined) jira.failField('type', absent)
    const customId = Number(jira.next('fields', 10_040))
    const [id, clauseNames] = [`customfield_${customId}`, [`cf[${customId}]`, name]]
    const schema = { ...fieldsOf(given), custom: type, customId }
    const facts = { name, description, custom: true, clauseNames, schema }
    return jira.respond(201, jira.whole('fields', jira.records.fields.create({ id, key: id, ...facts })))
  },
}
