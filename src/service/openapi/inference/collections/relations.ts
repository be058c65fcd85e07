import { endsInKey, KEY_SUFFIXES, keyNamesOf } from '../../../../names/id-names.ts'
import { foldNoun, singularOf } from '../../../../names/nouns.ts'
import { resourceNameIn } from '../../../../names/resource-name.ts'
import { foldName, snakeCase, wordsOf } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { Relation } from '../../model.ts'
import { schemaBelow } from '../../schemas/schema-fields.ts'
import { attributesOf, componentOf, fieldsOf, isArraySchema, isObjectSchema, isScalarSchema } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { hasOwnId } from '../bodies/shapes.ts'
import { isTopLevel } from '../paths/path-shape.ts'
import type { CollectionDraft } from './collection-draft.ts'

const PERSON_ROLES = new Set(
  'assignee author owner lead reporter uploader creator member reviewer approver requester requestor sender manager follower by actor assigner editor admin participant watcher responder organizer host inviter subscriber collaborator'.split(
    ' ',
  ),
)

/** Keys with the noun of their records. */
const OWN_KEY = /^(.+?)(number|code|key|id|uuid|reference)$/

/** A field that refers to a collection, or only where its own collection is its parent. */
interface LinkedField {
  readonly name: string
  readonly field: Schema
  readonly relation: Relation | 'by owner'
}

/** Finds the fields that refer to records of other collections. */
export class RelationFinder {
  readonly #found = new Map<CollectionDraft, readonly Relation[]>()
  /** By schema, which collections may share. */
  readonly #linked = new Map<Schema, readonly LinkedField[]>()
  readonly #byNoun = new Map<string, CollectionDraft>()
  readonly #byComponent = new Map<string, CollectionDraft>()
  /** By the folded noun with its key: `roleslug`, for `role_slug` of roles with the key `slug`. */
  readonly #byKey = new Map<string, CollectionDraft>()

  constructor(collections: readonly CollectionDraft[]) {
    // `/units/{id}/qr` shows no unit: `/venues/{id}/units` does.
    const shown = collections.toSorted((left, right) => Number(left.isPlain) - Number(right.isPlain))
    // The regions of Neon, the countries of Spree and the products of Uber are only listed.
    const listed = shown.filter(({ item, idField, site }) => !item && idField && site.own.has('GET'))
    for (const draft of [...shown.filter(({ item }) => item), ...listed]) {
      for (const noun of [draft.name, draft.noun])
        if (!this.#byNoun.has(foldNoun(noun))) this.#byNoun.set(foldNoun(noun), draft)
      const own = foldName(draft.idField?.at(-1) ?? 'id')
      const noun = foldNoun(draft.noun)
      // `stationnumber` of stations is called so by others, too.
      const key = OWN_KEY.exec(own)?.[1] === noun ? own : noun + own
      if (!this.#byKey.has(key)) this.#byKey.set(key, draft)
      const component = componentOf(draft.schema)
      if (component !== undefined && !this.#byComponent.has(component)) this.#byComponent.set(component, draft)
    }
  }

  relationsOf(collection: CollectionDraft): readonly Relation[] {
    const known = this.#found.get(collection)
    if (known) return known
    const own = collection.idField?.join('.')
    const relations = this.#linkedFields(collection.schema).flatMap(({ name, field, relation }) => {
      if (name === own) return []
      return (relation === 'by owner' ? this.#relation(collection, name, field) : relation) ?? []
    })
    this.#found.set(collection, relations)
    return relations
  }

  /** The fields that refer to another collection in any collection, and those that may refer to a parent. */
  #linkedFields(schema: Schema | undefined): readonly LinkedField[] {
    if (schema === undefined) return []
    const known = this.#linked.get(schema)
    if (known !== undefined) return known
    const fields = [...schema.fields].flatMap(([name, field]): LinkedField[] => {
      if (foldName(name).startsWith('parent')) return [{ name, field, relation: 'by owner' }]
      const relation = this.#relation(undefined, name, field)
      return relation ? [{ name, field, relation }] : []
    })
    fields.push(...this.#relationships(schema))
    this.#linked.set(schema, fields)
    return fields
  }

  /** The records that a resource of JSON:API refers to: `relationships: { author: { data: { type, id } } }`. */
  #relationships(schema: Schema): LinkedField[] {
    const relationships = attributesOf(schema) && fieldsOf(schema).get('relationships')
    return [...fieldsOf(relationships)].flatMap(([name, field]): LinkedField[] => {
      const data = fieldsOf(field).get('data')
      const many = data !== undefined && isArraySchema(data)
      const { fields } = (many ? data.items : data) ?? {}
      const type = fields?.get('type')?.enum?.[0]
      const target = this.#byNoun.get(foldNoun(typeof type === 'string' ? type : name))
      if (!target?.idField || fields?.has('id') !== true) return []
      const path = ['relationships', name, 'data', ...(many ? [] : ['id'])]
      return [{ name, field, relation: { field: path, collection: target.name, many, form: 'object' } }]
    })
  }

  /** The field of `child`'s records that refers to `parent`; `param` is the path parameter of the parent. */
  fieldFor(child: CollectionDraft, parent: CollectionDraft, param: string): FieldPath | undefined {
    if (child.parent?.of === parent.name) return child.parent.field
    const singular = foldNoun(parent.noun)
    const wanted = new Set([foldName(param), ...keyNamesOf(singular)])
    // `organization` of spaces below `/orgs/{organizationId}`.
    const ofParam = foldName(param).replace(/(id|key|uuid)$/, '')
    if (ofParam.length > 3) wanted.add(ofParam)
    if (child === parent)
      for (const own of ['parent', 'parentid', `parent${singular}id`, `parent${singular}`]) wanted.add(own)
    const fields = namedFields(child.schema)
    const named = new Set([...fields.named('folded', ...wanted), ...fields.named('noun', singular)])
    for (const { name, schema: field } of fields.all.filter((one) => named.has(one))) {
      if (child.idField?.[0] === name) continue
      const suffix = wordsOf(name).at(-1) ?? ''
      if (wanted.has(foldName(name)) && isScalarSchema(field) && refersToKey(parent, suffix)) return [name]
      if (foldNoun(name) !== singular) continue
      const id = idOfObject(field)
      if (id !== undefined) return [name, id]
      if (isScalarSchema(field) && parent.idField) return [name]
    }
    // A list of parents (`projects` of a task) also filters, when it has the parent collection's name.
    const isOfName = (field: FieldPath) => foldNoun(field.at(-1) ?? '') === singular
    const relations = this.relationsOf(child).filter((relation) => relation.collection === parent.name)
    return relations.find((relation) => !relation.many || isOfName(relation.field))?.field
  }

  #relation(owner: CollectionDraft | undefined, name: string, field: Schema): Relation | undefined {
    const many = isArraySchema(field)
    const value = many ? field.items : field
    if (!value) return undefined
    if (isObjectSchema(value)) return this.#objectRelation(owner, name, value, many)
    if (!isScalarSchema(value)) return undefined
    const words = wordsOf(name)
    const resource = this.#byNoun.get(foldNoun(snakeCase(resourceNameIn(value.description)?.at(-2) ?? '')))
    // `customer_id`, or `idCustomer`.
    const noun = words.length < 2 ? [] : endsInKey(name) ? words.slice(0, -1) : words[0] === 'id' ? words.slice(1) : []
    const named =
      noun.length > 0
        ? this.#named(noun)
        : (this.#byKey.get(foldName(name)) ?? this.#byType(many ? singularOf(name) : name, value))
    // Only its description says that a field has a resource name: `username` of users is none.
    const isNamed = resource?.resource !== undefined
    const target = (isNamed ? resource : named?.resource === undefined ? named : undefined) ?? ownParent(owner, name)
    if (!target?.idField || !refersToKey(target, words.at(-1) ?? '')) return undefined
    return { field: [name], collection: target.name, many, form: 'id' }
  }

  /** `course: 12`, where courses have integers or UUIDs as keys: Django's way to name a record. */
  #byType(name: string, { types, format, description = '' }: Schema): CollectionDraft | undefined {
    const found = singularOf(name) === name ? this.#byNoun.get(foldNoun(name)) : undefined
    const key = found?.idField && schemaBelow(found.schema, found.idField)
    const isKey = format === 'uuid' || (types[0] === 'integer' && !/\b(amount|number|size|count)\b/i.test(description))
    return isKey && key !== undefined && key.types[0] === types[0] && key.format === format ? found : undefined
  }

  /** The collection of `default_payment_method` or `assignee`: by most of its words, else people by role. */
  #named(words: readonly string[]): CollectionDraft | undefined {
    for (let from = 0; from < words.length; from++) {
      const found = this.#byNoun.get(foldNoun(words.slice(from).join('_')))
      if (found) return found
    }
    const role = singularOf(words.at(-1) ?? '')
    if (!PERSON_ROLES.has(role)) return undefined
    return ['user', 'member', 'person', 'employee', 'agent', 'owner']
      .map((noun) => this.#byNoun.get(noun))
      .find((found) => found)
  }

  #objectRelation(
    owner: CollectionDraft | undefined,
    name: string,
    value: Schema,
    many: boolean,
  ): Relation | undefined {
    const path = [name]
    const object = value.variants?.find((variant) => isObjectSchema(variant)) ?? value
    const component = componentOf(object)
    const target =
      (component && this.#byComponent.get(component)) ||
      (hasOwnId(object) ? (this.#byNoun.get(foldNoun(name)) ?? ownParent(owner, name)) : undefined)
    if (!target?.idField) return undefined
    const id = target.idField.at(-1) as string
    if (!object.properties.has(id)) return undefined
    const isId = value.variants?.some((variant) => isScalarSchema(variant))
    if (isId) return { field: path, collection: target.name, many, form: 'id' }
    return { field: many ? path : [...path, id], collection: target.name, many, form: 'object' }
  }
}

/**
 * The collection itself, where a field refers to a parent in the same collection: `parent_task`. A field `parent` does
 * so only where the collection has no parent collection.
 */
function ownParent(owner: CollectionDraft | undefined, name: string): CollectionDraft | undefined {
  if (owner === undefined) return undefined
  const folded = foldName(name)
  const own = foldNoun(owner.noun)
  const isNamed = folded === `parent${own}` || folded === `parent${own}id`
  const isBare = folded === 'parent' || folded === 'parentid'
  return isNamed || (isBare && isTopLevel(owner.site.steps)) ? owner : undefined
}

/** Whether a field with this suffix holds the key: not `entity_sid`, where the key is `identity` and not `sid`. */
function refersToKey({ idField, schema }: CollectionDraft, suffix: string): boolean {
  const own = foldName(idField?.at(-1) ?? 'id')
  const singular = singularOf(suffix)
  return own.endsWith(singular) || !fieldsOf(schema).has(singular) || !endsInKey(suffix)
}

function idOfObject(field: Schema): string | undefined {
  if (!isObjectSchema(field)) return undefined
  return [...KEY_SUFFIXES, 'name'].find((name) => field.properties.has(name))
}
