import { keyNamesOf } from '../../../../names/id-names.ts'
import { foldNoun, singularName } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { ItemKey, ScopeParam } from '../../model.ts'
import { fieldsOf, isScalarSchema, schemaOfBody, schemaOfResponse } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { findRecordShape } from '../bodies/shapes.ts'
import { keyOfSteps, paramsOf, type Step, withoutTrailing } from '../paths/path-shape.ts'
import { outerParams, type PathSite, type Placed, paramSchemaOf } from '../paths/sites.ts'
import type { Catalogue } from './catalogue.ts'
import type { CollectionDraft } from './collection-draft.ts'
import { bodyEnvelope } from './envelopes.ts'
import { findKeyField, findOuterKeyField } from './identity.ts'
import type { RelationFinder } from './relations.ts'

/** Names of the caller's own ids, not of a record's. */
const CALLER_IDS = new Set('clientid apikey accountid appid teamid workspaceid tenantid merchantid'.split(' '))

/** Whether a folded name is one of the caller's own ids. */
export const isCallerId = (folded: string): boolean => CALLER_IDS.has(folded)

/** Finds the records that a request's parameters identify. */
export class Addressing {
  readonly #catalogue: Catalogue
  readonly #relations: RelationFinder

  constructor(catalogue: Catalogue, relations: RelationFinder) {
    this.#catalogue = catalogue
    this.#relations = relations
  }

  /** The last parameters of an item path as keys, and the steps that filter the collection. */
  keysOf(steps: readonly Step[], collection: CollectionDraft): { keys: ItemKey[]; outer: readonly Step[] } {
    const base = withoutTrailing(steps)
    const names = paramsOf(steps.slice(base.length))
    const last = names.pop()
    if (last === undefined) return { keys: [], outer: steps }
    const outer: Step[] = [...base]
    const keys: ItemKey[] = []
    for (const name of names) {
      const found = findOuterKeyField(collection.schema, name)
      if (found) keys.push({ param: name, in: 'path', field: found })
      else outer.push({ kind: 'param', name })
    }
    keys.push({ param: last, in: 'path', field: this.keyField(collection, last) })
    return { keys, outer }
  }

  /** The field compared with a collection's path parameter; undefined for the key itself. */
  keyField(collection: CollectionDraft, param: string): FieldPath | undefined {
    const { item, schema, noun, idField, site, key } = collection
    if (key !== undefined && param === item?.params.at(-1)) return undefined
    const outer = outerParams(site, item?.params)
    const field = findKeyField({ schema, noun, param, paramSchema: item && paramSchemaOf(item, param), outer })
    return field && idField && field.join('.') !== idField.join('.') ? field : undefined
  }

  /** A query parameter or a field of the body that identifies one record. */
  keyInRequest({ draft }: Placed, collection: CollectionDraft): ItemKey | undefined {
    const names = keyNamesIn(collection, findRecordShape(schemaOfResponse(draft.success), collection.hints).path.at(-1))
    const isRead = draft.method === 'GET' || draft.method === 'DELETE' || draft.requestBody === undefined
    const query = draft.parameters.filter((parameter) => parameter.in === 'query' && (parameter.required || isRead))
    const body = bodyEnvelope(draft, collection)
    const fields = namedFields(body?.shape === 'record' ? body.schema : undefined)
    for (const name of names) {
      const parameter = query.find((candidate) => foldName(candidate.name) === name)
      if (parameter && (!parameter.schema || mayBeKey(parameter.schema))) {
        return { param: parameter.name, in: 'query', field: undefined }
      }
      const held = fields.named(name).find(({ schema }) => mayBeKey(schema))
      if (held) return { param: held.name, in: 'body', field: undefined }
    }
    return undefined
  }

  /** The only required id of a call, under any name: `{ beacon_user_id }` of `/beacon/user/get`. */
  onlyIdInRequest({ draft }: Placed): ItemKey | undefined {
    const isId = (name: string) => /(id|key|sid)$/.test(foldName(name)) && !isCallerId(foldName(name))
    const query = draft.parameters.filter(
      ({ in: place, name, required }) => place === 'query' && required && isId(name),
    )
    const body = schemaOfBody(draft.requestBody)
    const fields = [...fieldsOf(body)].filter(
      ([name, schema]) => body?.required.has(name) && isId(name) && isScalarSchema(schema),
    )
    const [only, ...more] = [
      ...query.map(({ name }): ItemKey => ({ param: name, in: 'query', field: undefined })),
      ...fields.map(([name]): ItemKey => ({ param: name, in: 'body', field: undefined })),
    ]
    return more.length === 0 ? only : undefined
  }

  /**
   * How the parameters of `steps` filter `collection`; without a collection, the parent of the document. `isView`:
   * whether the path is not the collection's own. `isKeyed`: whether it identifies one record, which is then not
   * filtered by fields.
   */
  scopeOf(
    steps: readonly Step[],
    collection: CollectionDraft | undefined,
    { isView, isKeyed }: { readonly isView: boolean; readonly isKeyed: boolean },
  ): ScopeParam[] {
    return steps.flatMap((step, at): ScopeParam[] => {
      if (step.kind !== 'param') return []
      const isLastOfRun = steps[at + 1]?.kind !== 'param'
      const named = isLastOfRun ? this.#catalogue.itemAt(steps.slice(0, at + 1)) : undefined
      const free: ScopeParam = { param: step.name, collection: undefined, field: undefined, key: undefined }
      if (!named) return [collection && isView && !isKeyed ? (this.#filter(collection, step.name) ?? free) : free]
      const isLast = steps.slice(at + 1).every(({ kind }) => kind === 'param')
      if (collection === named && isLast) return [this.#filter(named, step.name) ?? free]
      const key = this.keyField(named, step.name)
      if (!collection) return [{ param: step.name, collection: named.name, field: undefined, key }]
      if (isView && isKeyed && !this.#catalogue.isBelow(collection, named)) return [free]
      const field = this.#relations.fieldFor(collection, named, step.name)
      if (!field && !this.#catalogue.isBelow(collection, named)) {
        const held = isView && !isKeyed ? this.#heldBy(named, collection, steps, at) : undefined
        if (held) return [{ param: step.name, collection: named.name, field: undefined, key, held }]
        return [isView ? (this.#filter(collection, step.name) ?? free) : free]
      }
      return [{ param: step.name, collection: named.name, field, key }]
    })
  }

  /** The list of a record that the rest of its path has the name of, where it refers to records of the collection. */
  #heldBy(
    owner: CollectionDraft,
    collection: CollectionDraft,
    steps: readonly Step[],
    at: number,
  ): FieldPath | undefined {
    const [step, ...more] = steps.slice(at + 1)
    if (step?.kind !== 'static' || more.length > 0 || isMadeAt(this.#catalogue.sites.get(keyOfSteps(steps)))) {
      return undefined
    }
    const noun = foldNoun(step.text)
    const links = this.#relations
      .relationsOf(owner)
      .filter(({ many, collection: name }) => many && name === collection.name)
    return links.find(({ field: [first = ''] }) => [noun, `${noun}id`].includes(foldNoun(first)))?.field
  }

  /** A parameter that holds a value of a field instead of a key: `{endpoint_id}` of attempts, `{status}` of pets. */
  #filter(collection: CollectionDraft, param: string): ScopeParam | undefined {
    const folded = foldName(param)
    if (folded === foldName(collection.idField?.at(-1) ?? 'id')) return undefined
    for (const { name, schema } of namedFields(collection.schema).named(folded)) {
      if (!isScalarSchema(schema)) continue
      const relation = this.#relations.relationsOf(collection).find((found) => found.field.join('.') === name)
      return { param, collection: relation?.collection, field: [name], key: undefined }
    }
    return undefined
  }
}

/** Whether clients make records below a path: then they belong to the path's record, whatever its own list says. */
const isMadeAt = (site: PathSite | undefined): boolean =>
  site !== undefined &&
  (site.own.has('POST') || [...site.items.values()].some(({ operations }) => operations.has('PUT')))

/** Whether a value can be a key: a `user` with the values `soft` and `hard` cannot, nor can an uploaded `file`. */
const mayBeKey = (schema: Schema): boolean =>
  isScalarSchema(schema) && schema.enum === undefined && schema.format !== 'binary'

/** Folded names of a record's key in a request. `wrapper`: the field with the record in the answer. */
function keyNamesIn(collection: CollectionDraft, wrapper: string | undefined): string[] {
  const singular = foldName(singularName(collection.noun))
  const last = foldNoun(collection.noun.split('_').at(-1) ?? '')
  const nouns = [...new Set([singular, last, foldNoun(wrapper ?? '')])].filter((noun) => noun !== '')
  const own = collection.idField?.at(-1)
  const names = [
    ...(own === undefined ? [] : [foldName(own)]),
    'id',
    ...nouns.flatMap((noun) => [...keyNamesOf(noun), noun]),
  ]
  return [...new Set(names)]
}
