import { isIdName, nounOfId } from '../../../../names/id-names.ts'
import { foldNoun } from '../../../../names/nouns.ts'
import { verbOf } from '../../../../names/verbs.ts'
import { foldName } from '../../../../names/words.ts'
import type { Effect } from '../../model.ts'
import { isDownload, isObjectSchema, isScalarSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { findList } from '../bodies/shapes.ts'
import type { Case, Rule, Survey } from './rule.ts'

/** Rules for paths that end in the key of a record: `/tasks/{id}`. */
export const itemRules: readonly Rule[] = [
  {
    name: 'list-by-key',
    example: 'GET /times/{user} beside GET /times',
    confidence: 'likely',
    find: ofItems((operation, { build, catalogue }, { site, collection }) =>
      operation.isRead && (catalogue.draftAt(site)?.isFilter || isListBelow(operation))
        ? build.list(operation, collection, 'list')
        : undefined,
    ),
  },
  {
    name: 'item-read',
    example: 'GET /tasks/{id}',
    confidence: 'certain',
    // `GET /medicines/{id}`, described as a text.
    isGuess: (operation, survey) => isKeyedElsewhere(operation, survey) || showsText(operation),
    find: ofItems((operation, { build }, { collection }) =>
      operation.isRead ? build.one(operation, collection, 'read') : undefined,
    ),
  },
  {
    name: 'item-replace',
    example: 'PUT /tasks/{id}',
    confidence: 'certain',
    find: ofItems((operation, { build }, { collection }) =>
      operation.draft.method === 'PUT' ? build.one(operation, collection, 'replace') : undefined,
    ),
  },
  {
    name: 'item-update',
    example: 'PATCH /tasks/{id}',
    confidence: 'certain',
    isGuess: isUnknown,
    find: ofItems((operation, { build }, { collection }) =>
      operation.draft.method === 'PATCH' ? build.one(operation, collection, 'update') : undefined,
    ),
  },
  {
    name: 'item-delete',
    example: 'DELETE /tasks/{id}',
    confidence: 'certain',
    isGuess: isUnknown,
    find: ofItems((operation, { build }, { collection }) =>
      operation.draft.method === 'DELETE' ||
      (operation.draft.method === 'POST' && verbOf(operation.draft)?.kind === 'delete')
        ? build.one(operation, collection, 'delete')
        : undefined,
    ),
  },
  {
    name: 'item-action',
    example: 'POST /tasks/{id}, called closeTask',
    confidence: 'likely',
    find: ofItems((operation, { build }, { site, collection }) => {
      const verb = verbOf(operation.draft)
      const item = site.items.get(operation.shape.trailing.join(' '))
      const isChanged = item?.operations.has('PUT') || item?.operations.has('PATCH')
      const isAction = verb?.kind === 'action' || (isChanged && verb?.kind !== 'update' && verb?.kind !== 'create')
      const { method } = operation.draft
      if (method === 'POST' && isAction)
        return build.action(operation, collection, operation.shape.steps, verb?.word ?? 'post')
      // `COPY /tasks/{id}`, as OpenAPI 3.2 allows.
      return METHODS.has(method)
        ? undefined
        : build.action(operation, collection, operation.shape.steps, method.toLowerCase())
    }),
  },
  {
    name: 'item-post',
    example: 'POST /customers/{id}, without PUT or PATCH',
    confidence: 'likely',
    find: ofItems(({ draft, ...operation }, { build }, { site, collection }) => {
      // `POST /users/{id}/favorites/{productId}`, without a body, adds what it names.
      const isAdding = draft.requestBody === undefined && !site.own.has('POST') && site.own.has('GET')
      const isCreating = isAdding || verbOf(draft)?.kind === 'create'
      return draft.method === 'POST'
        ? build.one({ ...operation, draft }, collection, 'update', { isCreating })
        : undefined
    }),
  },
]

/** `DELETE /documents/{id}`, of documents that nothing makes, lists or reads: they may be those of `/patients/{id}/documents`. */
function isUnknown({ site, collection }: Case, { catalogue }: Survey): boolean {
  if (site?.own.size !== 0 || collection === undefined) return false
  return !catalogue.isReadable(collection) && collection.item?.operations.has('PUT') !== true
}

/** `GET /tracking/{number}`: nothing lists or creates its records, and shipments have a `number`. */
function isKeyedElsewhere({ shape, site, collection }: Case, { catalogue }: Survey): boolean {
  const [param = '', ...more] = shape.trailing
  const isAlone = site?.own.size === 0 && collection?.item?.operations.size === 1 && more.length === 0
  if (!isAlone || isIdName(param) || nounOfId(param) === foldNoun(collection.noun)) return false
  return catalogue.collections.some(
    (other) =>
      other !== collection &&
      namedFields(other.schema)
        .named(foldName(param))
        .some(({ schema }) => isScalarSchema(schema)),
  )
}

/** Whether an answer is a plain text, and so none of the records: coolify's databases, gitea's diffs, homebox' labels. */
const showsText = ({ draft, answer }: Case): boolean =>
  answer?.types.join() === 'string' && !(answer.format ?? answer.enum) && !isDownload(draft.success)

/** Methods with a meaning of their own. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

type Known = { readonly [Name in 'site' | 'collection']: NonNullable<Case[Name]> }

function ofItems(find: (operation: Case, survey: Survey, known: Known) => Effect | undefined): Rule['find'] {
  return (operation, survey) => {
    const { place, site, collection } = operation
    if (place !== 'item' || !site || !collection || isValue(operation)) return undefined
    return find(operation, survey, { site, collection })
  }
}

/** Whether the last parameter is an object, or a list for one answer: `GET /sum/{numbers}` names no record. */
function isValue({ draft, shape, collection, answer, isRead }: Case): boolean {
  const last = draft.parameters.find(({ in: place, name }) => place === 'path' && name === shape.trailing.at(-1))
  const types = last?.schema?.types.join()
  return types === 'object' || (types === 'array' && isRead && !findList(answer, collection?.noun ?? ''))
}

/** `GET /times/{user}` beside `GET /times`, `GET /packages/{owner}` beside `GET /packages/{owner}/{name}`. */
function isListBelow({ draft, shape, site, collection, answer }: Case): boolean {
  if (!site || !collection || !isObjectSchema(findList(answer, collection.noun)?.item)) return false
  const item = site.items.get(shape.trailing.join(' '))
  const { params = [], operations } = collection.item ?? {}
  const ofList = shape.trailing.length < params.length ? /^(GET|HEAD|POST)$/ : /^(GET|HEAD)$/
  if (item && [...item.operations.keys()].some((method) => !ofList.test(method))) return false
  const get = operations?.get('GET')
  const showsOne = get !== undefined && findList(schemaOfResponse(get.draft.success), '') === undefined
  const isOther = shape.trailing.length < params.length || (shape.trailing.length > params.length && showsOne)
  return isOther || (verbOf(draft)?.kind === 'list' && site.own.has('GET'))
}
