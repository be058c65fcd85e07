import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { objectEntries } from './operation-draft.ts'

const OF_DRF = /_(partial_update|destroy)(_\d+)?$|^(partialUpdate|destroy)[A-Z]/

/** Messages by field, as Django REST framework refuses a body, and its other errors. */
const FIELD_ERRORS = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }
const ERROR = { type: 'object', properties: { detail: { type: 'string' } }, required: ['detail'] }

/**
 * A description with the refusals of Django REST framework, whose generators (drf-spectacular, drf-yasg) leave them out and
 * call a PATCH `..._partial_update`, a DELETE `..._destroy` or `destroy...` (https://www.django-rest-framework.org/api-guide/exceptions/).
 */
export function withFrameworkRefusals(document: JsonObject): JsonObject {
  const items = objectEntries(document.paths)
  const operations = items.flatMap(([, item]) => objectEntries(item).map(([, operation]) => operation))
  const isOfDrf = operations.some(({ operationId }) => OF_DRF.test(String(operationId)))
  // Where most operations declare refusals, the others refuse in the same form.
  if (!isOfDrf || operations.filter(isBare).length * 2 < operations.length) return document
  const answer = (schema: JsonObject) =>
    document.swagger === undefined
      ? { description: '', content: { 'application/json': { schema } } }
      : { description: '', schema }
  const refusals = { '400': answer(FIELD_ERRORS), default: answer(ERROR) }
  const withRefusals = ([name, operation]: [string, JsonObject]): [string, JsonObject] => {
    const responses = { ...(operation.responses as JsonObject | undefined), ...refusals }
    return [name, isBare(operation) ? { ...operation, responses } : operation]
  }
  const paths = items.map(([path, item]) => [
    path,
    { ...item, ...Object.fromEntries(objectEntries(item).map(withRefusals)) },
  ])
  return { ...document, paths: Object.fromEntries(paths) }
}

/** Whether an operation declares answers, and no refusal. */
const isBare = ({ responses }: JsonObject): boolean =>
  isJsonObject(responses) && Object.keys(responses).every((status) => /^[123]/.test(status))
