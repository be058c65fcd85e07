/** Fragments of OpenAPI paths that the built-in descriptions are written with. */
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
export interface OperationParts {
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
export interface CollectionParts {
  /** Path of the collection: `/tasks`. */
  path: string
  /** Component name of a record, as in `Task`, `NewTask`, `TaskChanges`. */
  record: string
  /** The record in words: `payment method`. */
  noun: string
  plural: string
  tag: string
  /** Query parameters of the list apart from paging: filters and sorting. */
  filters?: Json[]
  /** @default all five */
  operations?: ('list' | 'create' | 'read' | 'update' | 'delete')[]
}

/** `GET` and `POST` on the collection, `GET`, `PATCH` and `DELETE` on an item: `/tasks`, `/tasks/{taskId}`. */
export function collectionPaths(style: ApiStyle, key: string, parts: CollectionParts): JsonObject {
  const { operations = ['list', 'create', 'read', 'update', 'delete'] } = parts
  const wanted = (name: (typeof operations)[number], fields: JsonObject) => (operations.includes(name) ? fields : {})
  const whole = {
    ...wanted('list', { get: listOperation(style, parts) }),
    ...wanted('create', { post: createOperation(style, parts) }),
  }
  const item = {
    ...wanted('read', { get: readOperation(style, parts) }),
    ...wanted('update', { patch: updateOperation(style, parts) }),
    ...wanted('delete', { delete: deleteOperation(style, parts) }),
  }
  return {
    ...(Object.keys(whole).length > 0 && { [parts.path]: withKeys(style, parts.path, whole) }),
    ...(Object.keys(item).length > 0 && itemPath(style, `${parts.path}/{${key}}`, item)),
  }
}

/** A path with a parameter for each key in it: `/tasks/{taskId}/complete`. */
export function itemPath(style: ApiStyle, path: string, operations: JsonObject): JsonObject {
  return { [path]: withKeys(style, path, operations) }
}

/** `POST /tasks/{taskId}/complete`: does something to one record and answers with it. */
export function actionPath(
  style: ApiStyle,
  path: string,
  parts: { id: string; summary: string; tag: string; record: string; body?: string },
): JsonObject {
  const { record, ...rest } = parts
  return itemPath(style, path, {
    post: operation(style, { ...rest, answer: component(`schemas/${record}`), item: true }),
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

function listOperation(style: ApiStyle, { record, plural, tag, path, filters = [] }: CollectionParts): JsonObject {
  const query = [...style.paging.map((name) => component(`parameters/${name}`)), ...filters]
  const id = `list${pascal(plural)}`
  const answer = style.page(record)
  return operation(style, { id, summary: `List ${plural}`, tag, query, answer, item: path.includes('{') })
}

function createOperation(style: ApiStyle, { record, noun, tag, path }: CollectionParts): JsonObject {
  const answer = component(`schemas/${record}`)
  const id = `create${pascal(noun)}`
  const summary = `Create ${article(noun)}`
  return operation(style, { id, summary, tag, body: `New${record}`, answer, status: '201', item: path.includes('{') })
}

function readOperation(style: ApiStyle, { record, noun, tag }: CollectionParts): JsonObject {
  const answer = component(`schemas/${record}`)
  return operation(style, { id: `get${pascal(noun)}`, summary: `Get ${article(noun)}`, tag, answer, item: true })
}

function updateOperation(style: ApiStyle, { record, noun, tag }: CollectionParts): JsonObject {
  const answer = component(`schemas/${record}`)
  const summary = `Update ${article(noun)}`
  return operation(style, { id: `update${pascal(noun)}`, summary, tag, body: `${record}Changes`, answer, item: true })
}

function deleteOperation(style: ApiStyle, { noun, tag }: CollectionParts): JsonObject {
  return operation(style, { id: `delete${pascal(noun)}`, summary: `Delete ${article(noun)}`, tag, item: true })
}

function withKeys(style: ApiStyle, path: string, operations: JsonObject): JsonObject {
  const keys = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (keys.length === 0) return operations
  const parameters = keys.map((name) => ({ name, in: 'path', required: true, schema: style.key(name) }))
  return { parameters, ...operations }
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
