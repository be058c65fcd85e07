import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { objectEntries } from './operation-draft.ts'

const shaped = (properties: JsonObject) => ({ type: 'object', properties, required: Object.keys(properties) })
const TEXT = { type: 'string' }
/** Messages by field. */
const FIELD_ERRORS = { type: 'object', additionalProperties: { type: 'array', items: TEXT } }

/** Frameworks whose generators leave refusals out: what is theirs among operations, and how they refuse. */
const FRAMEWORKS: readonly { isOwn: (operation: JsonObject) => boolean; refusals: JsonObject }[] = [
  {
    // drf-spectacular and drf-yasg call a PATCH `..._partial_update`, a DELETE `..._destroy` or `destroy...` (https://www.django-rest-framework.org/api-guide/exceptions/).
    isOwn: ({ operationId }) =>
      /_(partial_update|destroy)(_\d+)?$|^(partialUpdate|destroy)[A-Z]/.test(`${operationId}`),
    refusals: { '400': FIELD_ERRORS, default: shaped({ detail: TEXT }) },
  },
  // Scribe shows what Laravel answers without a key (https://laravel.com/docs/validation#validation-error-response-format).
  {
    isOwn: ({ responses }) =>
      JSON.stringify(isJsonObject(responses) && responses['401'])?.includes('"Unauthenticated."'),
    refusals: { '422': shaped({ message: TEXT, errors: FIELD_ERRORS }) },
  },
]

/** A description with the refusals of its framework, for the operations without refusals of what they are sent. */
export function withFrameworkRefusals(document: JsonObject): JsonObject {
  const items = objectEntries(document.paths)
  const operations = items.flatMap(([, item]) => objectEntries(item).map(([, operation]) => operation))
  // Where most operations declare refusals, the others refuse in the same form.
  const { refusals } = FRAMEWORKS.find(({ isOwn }) => operations.some(isOwn)) ?? {}
  if (refusals === undefined || operations.filter(isBare).length * 2 < operations.length) return document
  const contentOf = (schema: JsonObject) =>
    document.swagger === undefined ? { content: { 'application/json': { schema } } } : { schema }
  const added = objectEntries(refusals).map(([status, schema]): [string, JsonObject] => [
    status,
    { description: 'The framework refuses the input.', ...contentOf(schema) },
  ])
  const complete = ([name, operation]: [string, JsonObject]): [string, JsonObject] => {
    const responses = { ...(operation.responses as JsonObject | undefined), ...Object.fromEntries(added) }
    return [name, isBare(operation) ? { ...operation, responses } : operation]
  }
  const paths = items.map(([path, item]) => [
    path,
    { ...item, ...Object.fromEntries(objectEntries(item).map(complete)) },
  ])
  return { ...document, paths: Object.fromEntries(paths) }
}

/** Whether an operation declares answers, and no refusal but that of a missing key. */
const isBare = ({ responses }: JsonObject): boolean =>
  isJsonObject(responses) && Object.keys(responses).every((status) => /^([123]|401$)/.test(status))
