import { isIdName, keyNamesOf } from '../../../../names/id-names.ts'
import { foldNoun, singularName } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { ItemKey, ScopeParam } from '../../model.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import {
  fieldsOf,
  isArraySchema,
  isObjectSchema,
  isScalarSchema,
  schemaOfBody,
  schemaOfResponse,
} from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { findRecordShape } from '../bodies/shapes.ts'
import { paramsOf, type Step, withoutTrailing } from '../paths/path-shape.ts'
import { type Placed, paramSchemaOf } from '../paths/sites.ts'
import type { Catalogue } from './catalogue.ts'
import type { CollectionDraft } from './collection-draft.ts'
import { bodyEnvelope } from './envelopes.ts'
import { findKey, findOuterKeyField } from './key-rules.ts'
import type { RelationFinder } from './relations.ts'

/** Whether a request can have the ids of several records: `{ ids: [...] }`, `[1, 2]`, `?ids=`. */
export function namesSeveral({ parameters, requestBody }: OperationDraft, collection: CollectionDraft): boolean {
  const { idField, noun } = collection
  if (parameters.some(({ in: place, name }) => place === 'query' && /(^|[_-])ids(\[\])?$|[a-z]Ids$/.test(name)))
    return true
  const body = schemaOfBody(requestBody)
  const isKey = (item: Schema | undefined) =>
    item && isObjectSchema(item) ? fieldsOf(item).has(idField?.[0] ?? 'id') : isScalarSchema(item)
  if (isArraySchema(body)) return isKey(body?.items)
  const own = `${foldName(idField?.at(-1) ?? 'id')}s`
  return [...fieldsOf(body)].some(([name, field]) => {
    const folded = foldName(name)
    const isNamed = /(^id|ids|keys|uuids)$/.test(folded) || folded === own || foldNoun(name) === foldNoun(noun)
    return isNamed && isArraySchema(field) && isKey(field.items)
  })
}

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
    const { item, schema, noun, idField, key } = collection
    if (key !== undefined && param === item?.params.at(-1)) return undefined
    const paramSchema = item && paramSchemaOf(item, param)
    const field = findKey({ schema, noun, param, paramSchema }, this.#catalogue.keyRules)?.field
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
      if (parameter && (!parameter.schema || isScalarSchema(parameter.schema))) {
        return { param: parameter.name, in: 'query', field: undefined }
      }
      const sent = fields.named('folded', name).find(({ schema }) => isScalarSchema(schema))
      if (sent) return { param: sent.name, in: 'body', field: undefined }
    }
    return undefined
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
      const before = steps[at - 1]
      // `/orders/user/{id}` has the orders of a user.
      const noun = isIdName(step.name) && before?.kind === 'static' ? singularName(before.text) : ''
      const filter = (of: CollectionDraft) => this.#filter(of, step.name, noun + step.name) ?? free
      if (!named) return [collection && isView && !isKeyed ? filter(collection) : free]
      const isLast = steps.slice(at + 1).every(({ kind }) => kind === 'param')
      if (collection === named && isLast) return [filter(named)]
      const key = this.keyField(named, step.name)
      if (!collection) return [{ param: step.name, collection: named.name, field: undefined, key }]
      if (isView && isKeyed && !this.#catalogue.isBelow(collection, named)) return [free]
      const field = this.#relations.fieldFor(collection, named, step.name)
      if (!field && !this.#catalogue.isBelow(collection, named)) {
        return [isView ? filter(collection) : free]
      }
      return [{ param: step.name, collection: named.name, field, key }]
    })
  }

  /** A parameter that holds a value of a field instead of a key: `{endpoint_id}` of attempts, `{status}` of pets. */
  #filter(collection: CollectionDraft, param: string, wanted: string): ScopeParam | undefined {
    const folded = foldName(wanted)
    if (folded === foldName(collection.idField?.at(-1) ?? 'id')) return undefined
    for (const { name, schema } of namedFields(collection.schema).named('folded', folded)) {
      if (!isScalarSchema(schema)) continue
      const relation = this.#relations.relationsOf(collection).find((found) => found.field.join('.') === name)
      return { param, collection: relation?.collection, field: [name], key: undefined }
    }
    return undefined
  }
}

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
