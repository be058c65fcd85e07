import { isIdName, isIdWord, nounOfId } from '../../../../names/id-names.ts'
import { foldNoun, isSameNoun, singularName, singularOf } from '../../../../names/nouns.ts'
import { kindOfVerb, meansState, verbOf } from '../../../../names/verbs.ts'
import { foldName, wordsOf } from '../../../../names/words.ts'
import type { Effect } from '../../model.ts'
import { fieldsOf, isDownload, isObjectSchema, isScalarSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { findList, openList } from '../bodies/shapes.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { bodyEnvelope } from '../collections/envelopes.ts'
import { isTopLevel, type Step } from '../paths/path-shape.ts'
import type { Case, Rule, Survey } from './rule.ts'

/** An operation on a collection or on one of its records. */
type Found = Case & { readonly [Name in 'site' | 'collection']: NonNullable<Case[Name]> }

interface FoundRule extends Omit<Rule, 'find'> {
  /** All methods without it. */
  readonly methods?: RegExp
  readonly find: (operation: Found, survey: Survey) => Effect | undefined
}

const rulesAt = (place: 'item' | 'collection', rules: readonly FoundRule[]): readonly Rule[] =>
  rules.map(({ methods = /./, find, ...rule }) => ({
    ...rule,
    find: (operation, survey) => {
      const { site, collection, draft } = operation
      const isFound =
        operation.place === place && site && collection && methods.test(draft.method) && !isValue(operation)
      return isFound ? find({ ...operation, site, collection }, survey) : undefined
    },
  }))

/** Whether the last parameter is an object, or a list for one answer: `GET /sum/{numbers}` names no record. */
function isValue({ place, draft, shape, answer, isRead }: Case): boolean {
  const { schema } = draft.parameters.find(({ name }) => place === 'item' && name === shape.trailing.at(-1)) ?? {}
  return `${schema?.types}` === 'object' || (`${schema?.types}` === 'array' && isRead && !findList(answer, ''))
}

/** Rules for paths that end in the key of a record: `/tasks/{id}`. */
export const itemRules = rulesAt('item', [
  {
    name: 'list-by-key',
    example: 'GET /times/{user} beside GET /times',
    confidence: 'likely',
    methods: /^(GET|HEAD)$/,
    find: (operation, { build, catalogue }) =>
      catalogue.draftAt(operation.site)?.isFilter || isListBelow(operation)
        ? build.list(operation, operation.collection, 'list')
        : undefined,
  },
  {
    name: 'item-read',
    example: 'GET /tasks/{id}',
    confidence: 'certain',
    methods: /^(GET|HEAD)$/,
    // `GET /medicines/{id}`, described as a text.
    isGuess: (operation, survey) => isKeyedElsewhere(operation, survey) || showsText(operation),
    find: (operation, { build }) => build.one(operation, operation.collection, 'read'),
  },
  {
    name: 'item-replace',
    example: 'PUT /tasks/{id}',
    confidence: 'certain',
    methods: /^PUT$/,
    isGuess: isUnknown,
    find: (operation, { build }) => build.one(operation, operation.collection, 'replace'),
  },
  {
    name: 'item-update',
    example: 'PATCH /tasks/{id}',
    confidence: 'certain',
    methods: /^PATCH$/,
    isGuess: isUnknown,
    find: (operation, { build }) => build.one(operation, operation.collection, 'update'),
  },
  {
    name: 'item-delete',
    example: 'DELETE /tasks/{id}',
    confidence: 'certain',
    isGuess: (operation, survey) => isUnknown(operation, survey) || meansState(operation.draft.summary),
    find: (operation, { build }) =>
      isDeletion(operation) ? build.one(operation, operation.collection, 'delete') : undefined,
  },
  {
    name: 'item-post',
    example: 'POST /customers/{id}, without PUT or PATCH',
    confidence: 'likely',
    methods: /^POST$/,
    // Without a body: Gitea and Woodpecker run `POST /cron/{task}`, homebox accepts an invitation.
    isGuess: (operation, survey, effect) => {
      const { requestBody } = operation.draft
      const isChange =
        requestBody || verbOf(operation.draft)?.kind === 'update' || ('upsert' in effect && effect.upsert)
      return !isChange || isUnknown(operation, survey)
    },
    find: (operation, { build }) => {
      const { draft, site, collection } = operation
      // `POST /users/{id}/favorites/{productId}`, without a body, adds what it names.
      const isAdding = draft.requestBody === undefined && !site.own.has('POST') && site.own.has('GET')
      return build.one(operation, collection, 'update', { isCreating: isAdding || verbOf(draft)?.kind === 'create' })
    },
  },
])

/** Rules for paths of collections: `/tasks`. */
export const collectionRules = rulesAt('collection', [
  {
    name: 'document-at-collection',
    example: 'GET /config/host beside PUT /config/host/{id}',
    confidence: 'guess',
    methods: /^(GET|HEAD)$/,
    find: (operation, { build }) =>
      isDocument(operation) ? build.singleton(operation, operation.site, 'singletonRead') : undefined,
  },
  {
    name: 'list',
    example: 'GET /tasks',
    confidence: 'certain',
    methods: /^(GET|HEAD)$/,
    // An answer without a place for records, and `GET /reports/mileage`, whose rows have no key and no other operation.
    isGuess: ({ site, collection, answer, shape }, { catalogue }, effect) =>
      (isObjectSchema(answer) && 'envelope' in effect && effect.envelope.shape === 'none') ||
      (site?.own.size === 1 &&
        collection?.item === undefined &&
        (!collection?.idField || isOther(collection, catalogue))) ||
      isUnfiltered(effect, shape.steps, catalogue),
    find: (operation, { build }) => build.list(operation, operation.collection, 'list'),
  },
  {
    name: 'record-named-in-body',
    example: 'PUT /tasks { id, title }, DELETE /tasks { id }',
    confidence: 'likely',
    methods: /^(PUT|PATCH|DELETE|POST)$/,
    find: (operation, { addressing, build }) => {
      const { draft, collection } = operation
      const kind = isDeletion(operation) ? 'delete' : draft.method === 'PUT' ? 'replace' : 'update'
      const isChange = kind !== 'update' || draft.method === 'PATCH'
      return isChange && !sendsList(operation, collection) && addressing.keyInRequest(operation, collection)
        ? build.one(operation, collection, kind, { isCreating: verbOf(draft)?.kind === 'create' })
        : undefined
    },
  },
  {
    name: 'delete-many',
    example: 'DELETE /tasks',
    confidence: 'likely',
    find: (operation, { build }) =>
      isDeletion(operation) ? build.many(operation, operation.collection, 'bulkDelete') : undefined,
  },
  {
    name: 'create-kind',
    example: 'POST /databases/postgresql, called createPostgresqlDatabase',
    confidence: 'guess',
    methods: /^POST$/,
    find: (operation, survey) => {
      const made = madeBy(operation, survey)
      return made && create(operation, survey, made)
    },
  },
  {
    name: 'create',
    example: 'POST /tasks',
    confidence: 'certain',
    methods: /^POST$/,
    // `PUT /groups/{id}/members`, called addMembers. `POST /commands/send` beside `GET /commands/send`.
    isGuess: (operation, survey, effect) =>
      (operation.draft.pointer.endsWith('/put') && operation.draft.success.status !== 201) ||
      (operation.site?.items.size === 0 && kindOfVerb(operation.word.toLowerCase()) === 'action') ||
      isLinking(operation, survey, effect),
    find: (operation, survey) => create(operation, survey, operation.collection),
  },
  {
    name: 'update-many',
    example: 'PUT /tasks [{ id, title }]',
    confidence: 'likely',
    methods: /^(PUT|PATCH)$/,
    // `PATCH /admin/identities`, called batchCreateIdentities. `PUT /subscribers/lists { ids, action }`.
    isGuess: (_, __, effect) => effect.kind === 'bulkCreate' || ('body' in effect && effect.body?.shape === 'record'),
    find: (operation, { build }) => {
      const isMaking = verbOf(operation.draft)?.kind === 'create'
      return build.many(operation, operation.collection, isMaking ? 'bulkCreate' : 'bulkUpdate')
    },
  },
])

/** `DELETE /documents/{id}`, of documents that nothing makes, lists or reads: they may be those of `/patients/{id}/documents`. */
function isUnknown({ site, collection }: Case, { catalogue }: Survey): boolean {
  return site?.own.size === 0 && collection !== undefined && !catalogue.isReadable(collection)
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
        .named('folded', foldName(param))
        .some(({ schema }) => isScalarSchema(schema)),
  )
}

/** Whether an answer is a plain text, and so none of the records: coolify's databases, gitea's diffs, homebox' labels. */
const showsText = ({ draft, answer }: Case): boolean =>
  answer?.types.join() === 'string' && !(answer.format ?? answer.enum) && !isDownload(draft.success)

/** `GET /times/{user}` beside `GET /times`, `GET /packages/{owner}` beside `GET /packages/{owner}/{name}`. */
function isListBelow({ draft, shape, answer, site, collection }: Found): boolean {
  if (!isObjectSchema(findList(answer, collection.noun)?.item)) return false
  const item = site.items.get(shape.trailing.join(' '))
  const { params = [], operations } = collection.item ?? {}
  const ofList = shape.trailing.length < params.length ? /^(GET|HEAD|POST)$/ : /^(GET|HEAD)$/
  if (item && [...item.operations.keys()].some((method) => !ofList.test(method))) return false
  const get = operations?.get('GET')
  const showsOne = get !== undefined && findList(schemaOfResponse(get.draft.success), '') === undefined
  const isOther = shape.trailing.length < params.length || (shape.trailing.length > params.length && showsOne)
  return isOther || (verbOf(draft)?.kind === 'list' && site.own.has('GET'))
}

/** `/autocomplete/accounts` beside `/accounts`, `/categories` beside `/category`, whose records are made elsewhere. */
const isOther = (collection: CollectionDraft, { collections }: Survey['catalogue']): boolean =>
  collections.some(
    ({ noun, site: { own, steps } }) =>
      isSameNoun(noun, collection.noun) && own.has('POST') && steps.length <= collection.site.steps.length,
  )

/** `/hotels/{id}/bookings` lists the records of `/bookings`, and they have no field that refers to hotels. */
const isUnfiltered = (effect: Effect, steps: readonly Step[], catalogue: Survey['catalogue']): boolean =>
  'scope' in effect &&
  steps.some((step, at) => {
    const free = effect.scope.find(({ param }) => step.kind === 'param' && param === step.name)
    const isFree = free !== undefined && free.collection === undefined && free.field === undefined
    return isFree && catalogue.itemAt(steps.slice(0, at + 1)) !== undefined
  })

/** `POST /tasks/{id}/assignees { user_id }` of users that no collection has: it attaches one that is there. */
function isLinking({ shape, collection }: Case, { catalogue }: Survey, effect: Effect): boolean {
  if (!collection || isTopLevel(shape.steps) || catalogue.linkedBy(collection) || !('body' in effect)) return false
  const own = fieldsOf(collection.schema)
  const sent = [...fieldsOf(effect.body?.schema).keys()].filter((name) => !/^created/.test(name))
  // `POST /accounts/{id}/tags [tagId]`
  if (effect.body?.shape === 'list' && effect.body.schema?.types.join() === 'string') return true
  return sent.length > 0 && sent.every((name) => isIdWord(name) && !own.has(name))
}

/** Many records where the body is a list, else one. */
export function create(operation: Case, { build }: Survey, collection: CollectionDraft): Effect {
  return sendsList(operation, collection)
    ? build.many(operation, collection, 'bulkCreate')
    : build.create(operation, collection)
}

/** Whether the body of a request has several records. */
export const sendsList = ({ draft }: Case, collection: CollectionDraft): boolean =>
  bodyEnvelope(draft, collection)?.shape === 'list'

/** Whether the answer is a document, not the records: beside paths of single records, a list may be described without them. */
function isDocument({ answer, site, collection }: Found): boolean {
  if (!answer || !isObjectSchema(answer) || findList(answer, collection.noun)) return false
  return site.items.size === 0 || openList(answer) === undefined
}

const isDeletion = ({ draft: { method }, draft }: Case): boolean =>
  method === 'DELETE' || (method === 'POST' && verbOf(draft)?.kind === 'delete')

function madeBy({ draft, around, site }: Found, { catalogue }: Survey): CollectionDraft | undefined {
  if (site.own.size > 1 || site.items.size > 0 || !draft.named || !around || around.isRecord) return undefined
  const { collection } = around
  const isNamed = wordsOf(draft.id).map(singularOf).includes(singularName(collection.noun))
  return isNamed && catalogue.isReadable(collection) && verbOf(draft)?.kind === 'create' ? collection : undefined
}
