import { singularName, singularOf } from '../../../../names/nouns.ts'
import { verbOf } from '../../../../names/verbs.ts'
import { wordsOf } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { Effect } from '../../model.ts'
import { componentOf, fieldsOf, isArraySchema, isObjectSchema } from '../bodies/bodies.ts'
import { findList, openList } from '../bodies/shapes.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { bodyEnvelope } from '../collections/envelopes.ts'
import type { Step } from '../paths/path-shape.ts'
import type { PathSite } from '../paths/sites.ts'
import type { Case, Rule, Survey } from './rule.ts'

type Known = { readonly [Name in 'site' | 'collection']: NonNullable<Case[Name]> }

/** Rules for paths of collections: `/tasks`. */
export const collectionRules: readonly Rule[] = [
  {
    name: 'document-at-collection',
    example: 'GET /config/host beside PUT /config/host/{id}',
    confidence: 'guess',
    find: ofCollections(/^(GET|HEAD)$/, (operation, { build }, { site, collection }) =>
      isDocument(operation, site, collection) ? build.singleton(operation, site, 'singletonRead') : undefined,
    ),
  },
  {
    name: 'list',
    example: 'GET /tasks',
    confidence: 'certain',
    // An answer without a place for records, and `GET /reports/mileage`, whose rows have no key and no other operation.
    isGuess: ({ site, collection, answer, shape }, { catalogue }, effect) =>
      (isObjectSchema(answer) && 'envelope' in effect && effect.envelope.shape === 'none') ||
      (site?.own.size === 1 && collection?.item === undefined && !collection?.idField) ||
      isUnfiltered(effect, shape.steps, catalogue),
    find: ofCollections(/^(GET|HEAD)$/, (operation, { build }, { collection }) =>
      build.list(operation, collection, 'list'),
    ),
  },
  {
    name: 'record-named-in-body',
    example: 'PUT /tasks { id, title }, DELETE /tasks { id }',
    confidence: 'likely',
    find: ofCollections(/^(PUT|PATCH|DELETE|POST)$/, (operation, { addressing, build }, { collection }) => {
      const { draft } = operation
      const kind = isDeletion(operation) ? 'delete' : draft.method === 'PUT' ? 'replace' : 'update'
      const isChange = kind !== 'update' || draft.method === 'PATCH'
      return isChange && !sendsList(operation, collection) && addressing.keyInRequest(operation, collection)
        ? build.one(operation, collection, kind, { isCreating: verbOf(draft)?.kind === 'create' })
        : undefined
    }),
  },
  {
    name: 'delete-many',
    example: 'DELETE /tasks',
    confidence: 'likely',
    find: ofCollections(/^(DELETE|POST)$/, (operation, { build }, { collection }) =>
      isDeletion(operation) ? build.many(operation, collection, 'bulkDelete') : undefined,
    ),
  },
  {
    name: 'create-kind',
    example: 'POST /databases/postgresql, called createPostgresqlDatabase',
    confidence: 'guess',
    find: ofCollections(/^POST$/, (operation, survey, { site }) => {
      const made = madeBy(operation, survey, site)
      return made && create(operation, survey, made)
    }),
  },
  {
    name: 'create',
    example: 'POST /tasks',
    confidence: 'certain',
    isGuess: sendsOthers,
    find: ofCollections(/^POST$/, (operation, survey, { collection }) => create(operation, survey, collection)),
  },
  {
    name: 'create-many-by-put',
    example: 'PUT /tasks [{ title }], called createTasks',
    confidence: 'guess',
    find: ofCollections(/^(PUT|PATCH)$/, (operation, { build }, { collection }) =>
      verbOf(operation.draft)?.kind === 'create' ? build.many(operation, collection, 'bulkCreate') : undefined,
    ),
  },
  {
    name: 'update-many',
    example: 'PUT /tasks [{ id, title }]',
    confidence: 'likely',
    find: ofCollections(/^(PUT|PATCH)$/, (operation, { build }, { collection }) =>
      build.many(operation, collection, 'bulkUpdate'),
    ),
  },
]

/** `/hotels/{id}/bookings` lists the records of `/bookings`, and they have no field that refers to hotels. */
const isUnfiltered = (effect: Effect, steps: readonly Step[], catalogue: Survey['catalogue']): boolean =>
  'scope' in effect &&
  steps.some((step, at) => {
    const free = effect.scope.find(({ param }) => step.kind === 'param' && param === step.name)
    const isFree = free !== undefined && free.collection === undefined && free.field === undefined
    return isFree && catalogue.itemAt(steps.slice(0, at + 1)) !== undefined
  })

/** Whether a creation requires an object that the records do not have: `{ meta: { name }, lines }` of flat runs. */
function sendsOthers({ draft, collection }: Case): boolean {
  const { schema } = (collection && bodyEnvelope(draft, collection)) ?? {}
  const own = fieldsOf(collection?.schema)
  return (
    own.size > 0 &&
    [...(schema?.required ?? [])].some((name) => isObjectSchema(schema?.fields.get(name)) && !own.has(name))
  )
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

function ofCollections(
  methods: RegExp,
  find: (operation: Case, survey: Survey, known: Known) => Effect | undefined,
): Rule['find'] {
  return (operation, survey) => {
    const { place, site, collection, draft } = operation
    const isCollection = place === 'collection' && methods.test(draft.method)
    return isCollection && site && collection ? find(operation, survey, { site, collection }) : undefined
  }
}

function isList({ answer }: Case, site: PathSite, collection: CollectionDraft): boolean {
  const found = findList(answer, collection.noun)
  // Beside paths of single records, a list may be described without its records.
  return (found ?? (answer !== undefined && site.items.size > 0 ? openList(answer) : undefined)) !== undefined
}

/** Whether the answer is a document, not the records. */
function isDocument(operation: Case, site: PathSite, collection: CollectionDraft): boolean {
  const { answer } = operation
  return isObjectSchema(answer) && !isList(operation, site, collection) && !hasArrayOf(answer, collection)
}

function hasArrayOf(answer: Schema | undefined, collection: CollectionDraft): boolean {
  const component = componentOf(collection.schema)
  if (component === undefined || !answer) return false
  return [...answer.properties.values()].some((field) => isArraySchema(field) && componentOf(field.items) === component)
}

const isDeletion = ({ draft }: Case): boolean => draft.method === 'DELETE' || verbOf(draft)?.kind === 'delete'

function madeBy({ draft, around }: Case, { catalogue }: Survey, site: PathSite): CollectionDraft | undefined {
  if (site.own.size > 1 || site.items.size > 0 || !draft.named || !around || around.isRecord) return undefined
  const { collection } = around
  const isNamed = wordsOf(draft.id).map(singularOf).includes(singularName(collection.noun))
  return isNamed && catalogue.isReadable(collection) && verbOf(draft)?.kind === 'create' ? collection : undefined
}
