import type { OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { queried } from '../shared/queries.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { FIELD_TYPES, faultOf, functions } from './derived.ts'
import { files } from './files.ts'
import { marketing } from './marketing.ts'

/** Refuses a request that is not valid. */
const invalid = ({ refuse }: OperationContext, message: string): never => refuse(400, { code: 'invalid', message })

/** A search shows its first 10,000 results. */
const MOST_FOUND = 10_000
const READ_ONLY = ['hs_object_id', 'hs_createdate', 'hs_lastmodifieddate', 'lastmodifieddate']

const typeOf = ({ records, path }: OperationContext): JsonObject | undefined =>
  records.object_types?.find(({ names }) => (names as string[]).includes(String(path.objectType).toLowerCase()))

/** Refuses values that no record may be given: of read-only properties, of unknown owners and pipelines. */
function checkProperties(context: OperationContext, given: readonly JsonObject[]): undefined {
  const { records } = context
  const type = typeOf(context)
  const pipeline = String(type?.pipeline ?? '')
  for (const { properties } of given)
    for (const [name, value] of Object.entries(fieldsOf(properties))) {
      const fault = (error: string, message: string): never =>
        invalid(context, `Property values were not valid: ${JSON.stringify([faultOf(name, error, message)])}`)
      const isNone = value === '' || value === null
      if (READ_ONLY.includes(name))
        fault('READ_ONLY_VALUE', `"${name}" is a read only property; its value cannot be set.`)
      if (name === 'hubspot_owner_id' && !isNone && records.owners?.get(String(value)) === undefined)
        fault('INVALID_OWNER_ID', `${value} is not a valid owner id`)
      if (name === pipeline && !isNone && !records.pipelines?.some({ objectType: type?.name, id: String(value) }))
        fault('INVALID_OPTION', `${value} was not one of the allowed options`)
    }
}

const one = (context: OperationContext) => checkProperties(context, [context.body])
const changed = (context: OperationContext) => {
  if (Object.keys(fieldsOf(context.body.properties)).length === 0)
    invalid(context, 'No properties found to update, please provide at least one.')
  return one(context)
}
const batch = (context: OperationContext) => {
  const inputs = listOf(context.body.inputs)
  const ids = inputs.flatMap(({ id }) => (id === undefined ? [] : [String(id)]))
  const twice = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))]
  const message = `Duplicate IDs found in batch input: [${twice.join(', ')}]. IDs must be unique`
  if (twice.length > 0) invalid(context, message)
  return checkProperties(context, inputs)
}

/** Groups of HubSpot's own properties. */
const OWN_GROUP =
  /information$|_activity$|^(?:social_media|web_analytics_history|sales_properties|dealstages|dealrevenue)$/

const property = (context: OperationContext): undefined => {
  const { records } = context
  const { groupName, type, fieldType } = context.body
  const fits = FIELD_TYPES[String(type)]?.includes(String(fieldType)) ?? true
  if (!fits) invalid(context, `Property type ${type} cannot have the fieldType ${fieldType}`)
  if (groupName === undefined || OWN_GROUP.test(String(groupName))) return
  if (!records.property_groups?.some({ objectType: typeOf(context)?.name, name: groupName, archived: false }))
    invalid(context, `Property group ${groupName} does not exist`)
}

export default {
  ...files,
  ...marketing,
  'POST /crm/v3/objects/{objectType}': one,
  'PATCH /crm/v3/objects/{objectType}/{objectId}': changed,
  'POST /crm/v3/objects/{objectType}/batch/create': batch,
  'POST /crm/v3/objects/{objectType}/batch/update': batch,
  'POST /crm/v3/objects/{objectType}/batch/upsert': batch,
  'POST /crm/v3/properties/{objectType}': property,
  'POST /crm/v3/objects/{objectType}/search': (context: OperationContext) => {
    if (Number(context.body.after ?? 0) >= MOST_FOUND)
      invalid(context, `Paging goes to the first ${MOST_FOUND} results: filter them further`)
  },
  $queried: queried,
  ...functions,
  $upper: (text: unknown) => String(text).toUpperCase(),
}
