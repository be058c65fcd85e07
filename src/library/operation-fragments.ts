/** Fragments of OpenAPI paths that the built-in descriptions are written with. */
import { capitalised } from '../names/words.ts'
import type { Json, JsonObject } from '../protocol/json.ts'
import { component } from './schema-fragments.ts'

/** What all operations of one API have in common. */
export interface ApiStyle {
  /** Schema of the answer to a list of `record`s. */
  page: (record: string) => JsonObject
  /** Names of the components that are the query parameters of every list. */
  paging: string[]
  /** Status of the answer to a body that does not fit: the component `responses/Invalid`. */
  invalidStatus: '400' | '422'
  /** Schema of a path parameter that is a record's id. */
  key: (parameter: string) => JsonObject
}

/** One operation, in short. */
interface OperationParts {
  id: string
  summary: string
  tag: string
  /** Query parameters. */
  query?: Json[]
  /** Component name of the request body's schema. */
  body?: string
  /** Schema of the answer; absent: no body. */
  answer?: JsonObject
  /** @default '200', or '204' without an answer */
  status?: string
  /** Whether its path names a record that may not exist. @default false */
  item?: boolean
}

export function operation(style: ApiStyle, parts: OperationParts): JsonObject {
  const { id, summary, tag, query, body, answer, item = false } = parts
  const status = parts.status ?? (answer ? '200' : '204')
  const success = { description: answer ? summary : 'Done', ...(answer && { content: json(answer) }) }
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(query && { parameters: query }),
    ...(body && { requestBody: { required: true, content: json(component(`schemas/${body}`)) } }),
    responses: {
      [status]: success,
      ...((body || query) && { [style.invalidStatus]: component('responses/Invalid') }),
      '401': component('responses/Unauthorised'),
      ...(item && { '404': component('responses/NotFound') }),
      '429': component('responses/TooManyRequests'),
    },
  }
}

/** The usual operations of a collection, in short. */
interface CollectionParts {
  /** Path of the collection: `/tasks`. */
  path: string
  /** The record in words: `payment method`. The schemas are then `PaymentMethod`, `NewPaymentMethod`, `PaymentMethodChanges`. */
  noun: string
  /** With a capital also the tag of the operations. @default the noun with `s` */
  plural?: string
  /** Query parameters of the list apart from paging: filters and sorting. */
  filters?: Json[]
  /** @default all five */
  operations?: ('list' | 'create' | 'read' | 'update' | 'delete')[]
}

/** `GET` and `POST` on the collection, `GET`, `PATCH` and `DELETE` on an item: `/tasks`, `/tasks/{taskId}`. */
export function collectionPaths(style: ApiStyle, key: string, parts: CollectionParts): JsonObject {
  const { path, operations = ['list', 'create', 'read', 'update', 'delete'] } = parts
  const has = (name: (typeof operations)[number]) => operations.includes(name)
  const record = pascal(parts.noun)
  const answer = component(`schemas/${record}`)
  const created = { body: `New${record}`, answer, status: '201', item: path.includes('{') }
  const whole = {
    ...(has('list') && { get: listOperation(style, parts) }),
    ...(has('create') && { post: recordOperation(style, parts, 'create', created) }),
  }
  const item = {
    ...(has('read') && { get: recordOperation(style, parts, 'get', { answer }) }),
    ...(has('update') && { patch: recordOperation(style, parts, 'update', { body: `${record}Changes`, answer }) }),
    ...(has('delete') && { delete: recordOperation(style, parts, 'delete', {}) }),
  }
  return {
    ...(Object.keys(whole).length > 0 && itemPath(style, path, whole)),
    ...(Object.keys(item).length > 0 && itemPath(style, `${path}/{${key}}`, item)),
  }
}

/** A path with a parameter for each key in it: `/tasks/{taskId}/complete`. */
export function itemPath(style: ApiStyle, path: string, operations: JsonObject): JsonObject {
  const keys = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parameters = keys.map((name) => ({ name, in: 'path', required: true, schema: style.key(name) }))
  return { [path]: keys.length === 0 ? operations : { parameters, ...operations } }
}

/** `POST /tasks/{taskId}/complete`: does something to one record and answers with it. */
export function actionPath(style: ApiStyle, path: string, { noun, tag }: { noun: string; tag: string }): JsonObject {
  const verb = path.slice(path.lastIndexOf('/') + 1)
  const record = pascal(noun)
  const summary = `${capitalised(verb)} ${article(noun)}`
  const answer = component(`schemas/${record}`)
  return itemPath(style, path, {
    post: operation(style, { id: `${verb}${record}`, summary, tag, answer, item: true }),
  })
}

/** A query parameter that narrows a list by a field of its records. */
export function filter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'query', description, schema }
}

/** The query parameter that orders a list: `createdAt`, or `-createdAt` for the newest first. */
export function sort(fields: string[]): JsonObject {
  const values = fields.flatMap((field) => [field, `-${field}`])
  return {
    name: 'sort',
    in: 'query',
    description: 'Order; `-` is descending',
    schema: { type: 'string', enum: values },
  }
}

function listOperation(style: ApiStyle, parts: CollectionParts): JsonObject {
  const { noun, plural = `${noun}s`, path, filters = [] } = parts
  const query = [...style.paging.map((name) => component(`parameters/${name}`)), ...filters]
  const answer = style.page(pascal(noun))
  const id = `list${pascal(plural)}`
  return operation(style, {
    id,
    summary: `List ${plural}`,
    tag: capitalised(plural),
    query,
    answer,
    item: path.includes('{'),
  })
}

/** An operation on one record: `createTask`, "Create a task". */
function recordOperation(
  style: ApiStyle,
  { noun, plural = `${noun}s` }: CollectionParts,
  verb: 'create' | 'get' | 'update' | 'delete',
  parts: Partial<OperationParts>,
): JsonObject {
  const summary = `${capitalised(verb)} ${article(noun)}`
  return operation(style, { id: verb + pascal(noun), summary, tag: capitalised(plural), item: true, ...parts })
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } }
}

function article(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
}

function pascal(words: string): string {
  return words.replace(/(^|\s)(\w)/g, (_, _space, letter: string) => letter.toUpperCase())
}
