import { findField } from '../../../names/find-field.ts'
import { foldName } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ApiModel, CollectionModel, Operation } from '../model.ts'
import { type OperationDraft, toOperation } from '../operation-draft.ts'
import { schemaBelow } from '../schemas/schema-fields.ts'
import type { SchemaReader } from '../schemas/schema-reader.ts'
import { SETTING_RULES, SettingFinder } from './actions/setting-rules.ts'
import { fieldsOf, isAlike, isObjectSchema, isScalarSchema, schemaOfBody } from './bodies/bodies.ts'
import { type NamedField, namedFields } from './bodies/named-fields.ts'
import { Addressing } from './collections/addressing.ts'
import { Catalogue } from './collections/catalogue.ts'
import type { CollectionDraft } from './collections/collection-draft.ts'
import { bodyEnvelope } from './collections/envelopes.ts'
import { findOuterKeyField, KEY_RULES } from './collections/key-rules.ts'
import { nameCollections } from './collections/naming.ts'
import { PATH_RULES } from './collections/path-rules.ts'
import { findStatusField, findTimestamps, vocabularyOf } from './collections/record-fields.ts'
import { RelationFinder } from './collections/relations.ts'
import { SingletonFinder } from './collections/singletons.ts'
import { VIEW_RULES } from './collections/view-rules.ts'
import { EffectBuilder } from './effects/effect-builder.ts'
import { lastStatic } from './paths/path-shape.ts'
import { mapSites, type PathSite, type Placed, paramSchemaOf } from './paths/sites.ts'
import type { Survey } from './rules/rule.ts'
import { EffectFinder, REQUEST_RULES, RULES } from './rules/rules.ts'

/** The names of all rules, each with an example, in the order in which they are used. */
export const INFERENCE_RULES: readonly { readonly name: string; readonly example: string }[] = [
  ...PATH_RULES,
  ...KEY_RULES,
  ...VIEW_RULES,
  ...RULES,
  ...REQUEST_RULES,
  ...SETTING_RULES,
]

/** What is declared of operations and collections, and takes precedence over inference. */
export interface Overlay {
  /** Whether the path of an operation says nothing of the data. */
  isApart(draft: OperationDraft): boolean
  /** Keys of the sites that are declared to be collections of their own. */
  readonly ownSites: ReadonlySet<string>
  /** Names the collections that are declared with a path. */
  nameCollections(collections: readonly CollectionDraft[]): void
  /** Adds declared keys and statuses to the collections, which have their names. */
  shapeCollections(collections: readonly CollectionDraft[]): void
  /** The operation with its declared effect; undefined where none is declared. */
  decide(placed: Placed, survey: Survey, rules: EffectFinder): Operation | undefined
}

/** Options of {@link inferModel}. */
interface InferenceOptions {
  /** Names of rules that are not used. */
  readonly leftOut?: ReadonlySet<string> | undefined
  readonly overlay?: Overlay | undefined
}

/** Infers from the operations which data an API keeps and what each operation does to it. Pauses after each. */
export function* inferModel(
  drafts: readonly OperationDraft[],
  reader: SchemaReader,
  { leftOut = new Set(), overlay }: InferenceOptions = {},
): Generator<undefined, Pick<ApiModel, 'operations' | 'collections' | 'singletons'>> {
  const map = yield* mapSites(drafts, (draft) => overlay?.isApart(draft) === true)
  const catalogue = yield* Catalogue.of(map, reader, leftOut, overlay?.ownSites)
  overlay?.nameCollections(catalogue.collections)
  yield* nameCollections(catalogue.collections)
  overlay?.shapeCollections(catalogue.collections)
  const relations = new RelationFinder(catalogue.collections)
  const singletons = new SingletonFinder(catalogue.collections.map(({ name }) => name))
  const addressing = new Addressing(catalogue, relations)
  const settings = new SettingFinder(leftOut)
  const build = new EffectBuilder(catalogue, addressing, singletons, settings)
  const survey: Survey = { catalogue, addressing, build, settings }
  const effects = new EffectFinder(survey, leftOut)
  const operations: Operation[] = []
  for (const placed of map.placed) {
    operations.push(overlay?.decide(placed, survey, effects) ?? toOperation(placed.draft, effects.find(placed)))
    yield
  }
  const used = new Set(operations.flatMap(({ effect }) => ('collection' in effect ? [effect.collection] : [])))
  for (const { effect } of operations) {
    if ('makes' in effect && effect.makes) used.add(effect.makes.collection)
    if (!('scope' in effect)) continue
    for (const { collection } of effect.scope) if (collection !== undefined) used.add(collection)
  }
  const kept = catalogue.collections.filter(({ name }) => used.has(name))
  const lists = Map.groupBy(
    operations.filter(({ effect }) => effect.kind === 'list' || effect.kind === 'search'),
    ({ effect }) => ('collection' in effect ? effect.collection : ''),
  )
  const names = new Set(kept.map(({ name }) => name))
  const collections: CollectionModel[] = []
  for (const draft of kept) {
    const model = toCollection(draft, lists.get(draft.name) ?? [], { catalogue, relations, addressing })
    collections.push({ ...model, relations: model.relations.filter(({ collection }) => names.has(collection)) })
    yield
  }
  return {
    operations,
    collections,
    singletons: singletons.all.map(({ name, singular, schema, site, whole, valueSchema }) => ({
      name,
      singular,
      schema,
      whole,
      valueSchema,
      parent: catalogue.ownerOf(site)?.collection.name,
      field: fieldOfOwner(catalogue.ownerOf(site)?.collection, site, schema ?? valueSchema),
    })),
  }
}

/** The record's field with the last word of a path below it: `contact` of customers, for `/customers/{id}/contact`. */
function fieldAbove(owner: CollectionDraft | undefined, { steps }: PathSite): NamedField | undefined {
  const isShown = owner?.item?.operations.has('GET') || owner?.site.own.has('GET')
  if (!owner || !isShown || steps.at(-2)?.kind !== 'param') return undefined
  return namedFields(owner.schema).named('folded', foldName(lastStatic(steps)))[0]
}

/** The field of the owner that has what a path shows: most of its fields, or a value of its type. */
function fieldOfOwner(owner: CollectionDraft | undefined, site: PathSite, shown?: Schema): string | undefined {
  const { name, schema } = fieldAbove(owner, site) ?? {}
  const isSame =
    isObjectSchema(schema) || isObjectSchema(shown)
      ? isObjectSchema(schema) && isObjectSchema(shown) && isAlike(schema, shown)
      : shown?.types.some((type) => schema?.types.includes(type))
  return isSame ? name : undefined
}

function toCollection(
  draft: CollectionDraft,
  lists: readonly Operation[],
  { catalogue, relations, addressing }: { catalogue: Catalogue; relations: RelationFinder; addressing: Addressing },
): CollectionModel {
  const { schema, idField } = draft
  const parent = catalogue.parentOf(draft)
  const sentAs = sentKeyOf(draft)
  return {
    name: draft.name,
    singular: draft.singular,
    rules: draft.rules,
    schema,
    listSchema: draft.listSchema,
    id: {
      field: idField,
      schema: keySchemaOf(draft),
      clientChosen: sentAs !== undefined || isClientChosen(draft),
      sentAs,
      resource: draft.resource,
    },
    alternateKeys: alternateKeysOf(draft, addressing),
    outerKeys: (draft.item?.params ?? []).slice(0, -1).flatMap((param) => {
      const field = findOuterKeyField(schema, param)
      return field === undefined ? [] : [field]
    }),
    statusField: draft.statusField ?? findStatusField(schema),
    timestamps: findTimestamps(schema),
    parent: parent && {
      collection: parent.collection.name,
      param: parent.param,
      field: relations.fieldFor(draft, parent.collection, parent.param),
    },
    listedIn: parent && listIn(parent.collection, draft),
    relations: relations.relationsOf(draft),
    linked: catalogue.linkedBy(draft)?.name,
    vocabulary: vocabularyOf(draft, lists),
  }
}

/** The list of a parent that has the name of its children, and shows them. */
function listIn(parent: CollectionDraft, { site, schema, idField }: CollectionDraft): string | undefined {
  const { name, schema: list } = fieldAbove(parent, site) ?? {}
  const isShown = isObjectSchema(list?.items) && idField?.length === 1 && isAlike(list?.items, schema)
  return isShown && fieldsOf(list?.items).has(idField[0] ?? '') ? name : undefined
}

/** The schema of the keys: of the id field; without one, of the path parameter. */
function keySchemaOf({ schema, idField, site, item }: CollectionDraft): Schema | undefined {
  if (idField) return schemaBelow(schema, idField)
  const param = item && paramSchemaOf(item, item.params.at(-1))
  // Records of clients would exhaust a parameter's fixed values.
  return param?.enum && site.own.has('POST') ? undefined : param
}

/**
 * The field of a creation with the path parameter's name, which no record shows: `POST /stores/{id}/files { file_id }`
 * beside `/stores/{id}/files/{file_id}`.
 */
function sentKeyOf({ site, item, schema, idField }: CollectionDraft): string | undefined {
  const sent = fieldsOf(schemaOfBody(site.own.get('POST')?.draft.requestBody))
  const name = findField(sent.keys(), item?.params.at(-1) ?? '')
  const isKey = name !== undefined && idField !== undefined && isScalarSchema(sent.get(name))
  return isKey && !fieldsOf(schema).has(name) ? name : undefined
}

/** Whether the client chooses the id, such as a name or a code: the creation's body has it. */
function isClientChosen(draft: CollectionDraft): boolean {
  const [field = ''] = draft.idField ?? []
  const post = draft.site.own.get('POST')
  const sent = post && schemaOfBody(post.draft.requestBody) && bodyEnvelope(post.draft, draft)?.schema
  return fieldsOf(sent).get(field)?.readOnly === false
}

function alternateKeysOf(draft: CollectionDraft, addressing: Addressing): CollectionModel['alternateKeys'] {
  const found = new Map<string, readonly string[]>()
  for (const item of draft.site.items.values()) {
    const last = item.params.at(-1)
    const field = last === undefined ? undefined : addressing.keyField(draft, last)
    if (field) found.set(field.join('.'), field)
  }
  return [...found.values()]
}
