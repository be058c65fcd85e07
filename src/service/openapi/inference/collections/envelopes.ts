import { isIdWord, nounOfId } from '../../../../names/id-names.ts'
import { foldNoun } from '../../../../names/nouns.ts'
import { isAboutPage } from '../../../../names/paging-words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { Envelope } from '../../model.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import {
  attributesOf,
  componentOf,
  countShared,
  fieldsOf,
  isAlike,
  isArraySchema,
  isObjectSchema,
  isOpenSchema,
  isScalarSchema,
  schemaOfBody,
  schemaOfResponse,
} from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { findList, findRecordShape, hasOwnId, openList, wrapperOf } from '../bodies/shapes.ts'
import type { CollectionDraft } from './collection-draft.ts'

/** A body without a record. */
export const NO_RECORD: Envelope = { path: [], shape: 'none', schema: undefined }

function withKey(envelope: Envelope, { inventedKey, schema: own }: CollectionDraft): Envelope {
  const { schema, shape } = envelope
  if (!inventedKey || shape === 'none' || shape === 'ids') return envelope
  if (schema === undefined || fieldsOf(schema).size === 0) return { ...envelope, schema: schema ?? own }
  return { ...envelope, schema: inventedKey.addTo(schema) }
}

/** The place of the records in the answer of a list. */
export const listEnvelope = (draft: OperationDraft, collection: CollectionDraft): Envelope =>
  withKey(listPlace(draft, collection), collection)

function listPlace(draft: OperationDraft, collection: CollectionDraft): Envelope {
  const answer = schemaOfResponse(draft.success)
  if (!answer) return { path: [], shape: 'list', schema: collection.schema }
  const found = findList(answer, collection.noun)
  if (!found) return openPlace(answer) ?? onePlace(draft, collection)
  const wrapper = found.item && collection.item && wrapperOf(found.item, collection.hints, collection.schema)
  if (wrapper && found.item) {
    const { path, record } = wrapper
    return { path: found.path, shape: 'list', schema: record, wrapper: { path, schema: found.item } }
  }
  if (isObjectSchema(found.item) || !isScalarSchema(found.item) || isOpenSchema(found.item))
    return { path: found.path, shape: 'list', schema: found.item }
  return { path: found.path, shape: 'ids', schema: found.item }
}

function openPlace(answer: Schema): Envelope | undefined {
  const path = openList(answer)
  return path && { path, shape: 'list', schema: undefined }
}

/** A list described as one record shows the first record. */
function onePlace(draft: OperationDraft, collection: CollectionDraft): Envelope {
  const found = recordPlace(draft, collection)
  return found.shape === 'record' && isRecordOf(found, collection) ? found : NO_RECORD
}

/** The place of the record in the answer to a read or a write. */
export const recordEnvelope = (draft: OperationDraft, collection: CollectionDraft): Envelope =>
  withKey(recordPlace(draft, collection), collection)

function recordPlace(draft: OperationDraft, collection: CollectionDraft): Envelope {
  const answer = schemaOfResponse(draft.success)
  if (!answer) return NO_RECORD
  const found = findRecordShape(answer, collection.hints)
  if (!found.schema || !collection.schema) return found
  const isKnown = fieldsOf(found.schema).size === 0 || sharesMore(found.schema, collection.schema)
  return isKnown ? found : (onlyRecordIn(found, collection) ?? NO_RECORD)
}

/** `{ created: Env | Env[], failed: [] }`: the only field that is a record of the collection, or one or several of them. */
function onlyRecordIn({ path, schema }: Envelope, collection: CollectionDraft): Envelope | undefined {
  // A conversation with the contact that wrote it is a conversation.
  if (schema && hasOwnId(schema)) return undefined
  const found = [...fieldsOf(schema)].flatMap(([name, field]): Envelope[] => {
    const all = [field, ...(field.variants ?? [])]
    const one = all.find((part) => isRecordOf({ path, shape: 'record', schema: part }, collection))
    if (one) return [{ path: [...path, name], shape: 'record', schema: one }]
    const item = all.find(isArraySchema)?.items
    const isList = isRecordOf({ path, shape: 'record', schema: item }, collection)
    return isList ? [{ path: [...path, name], shape: 'listOfOne', schema: item }] : []
  })
  const [only, ...more] = found
  return more.length === 0 ? only : undefined
}

/** Whether an answer has more in common with a record than words about the answer: `{ status, time, result: true }`. */
function sharesMore(answer: Schema, record: Schema): boolean {
  const own = fieldsOf(record)
  let isShared = false
  let isVerdict = false
  for (const [name, field] of fieldsOf(answer)) {
    if (own.has(name) && !isAboutPage(name)) return true
    isShared ||= own.has(name)
    isVerdict ||= !own.has(name) && field.types.join() === 'boolean'
  }
  return isShared && !isVerdict
}

/** A delete may answer with the record, with its id, or with something else. */
export function deleteEnvelope(draft: OperationDraft, collection: CollectionDraft): Envelope {
  const found = recordEnvelope(draft, collection)
  const id = collection.idField?.[0]
  return id !== undefined && fieldsOf(found.schema).has(id) ? found : NO_RECORD
}

/** The place of the record in a request body; undefined without a body. */
export function bodyEnvelope(draft: OperationDraft, collection: CollectionDraft): Envelope | undefined {
  const schema = schemaOfBody(draft.requestBody)
  if (!draft.requestBody) return undefined
  if (!schema) return { path: [], shape: 'record', schema: undefined }
  if (isArraySchema(schema)) return { path: [], shape: 'list', schema: schema.items }
  const known = [...fieldsOf(attributesOf(collection.schema)), ...fieldsOf(collection.schema)]
  return findBody(schema, new Map(known), collection)
}

/** The body is unwrapped by its schema, but not where the record itself has the wrapping field. */
function findBody(schema: Schema, known: ReadonlyMap<string, Schema>, collection: CollectionDraft): Envelope {
  const plain: Envelope = { path: [], shape: 'record', schema }
  let isWrapped = false
  for (const { name, schema: field } of namedFields(schema).named('noun', foldNoun(collection.noun))) {
    if (known.has(name)) continue
    if (isArraySchema(field) && isObjectSchema(field.items)) return { path: [name], shape: 'list', schema: field.items }
    // `{ workspaceId, folder: { name } }`
    isWrapped ||= isObjectSchema(field) && countShared(field, collection.schema) > 0
  }
  for (const name of fieldsOf(schema).keys()) {
    if (known.has(name) && !isWrapped && !collection.hints.nouns.includes(name)) return plain
  }
  const found = findRecordShape(schema, { ...collection.hints, keys: [] })
  if (found.path.length > 0) return found.shape === 'listOfOne' ? { ...found, shape: 'list' } : found
  const list = findList(schema, collection.noun)
  // The lines of `POST /orders { items: [{ productId, quantity }] }` are no orders.
  const isOfRecords = [...fieldsOf(list?.item).keys()].some((name) => !isIdWord(name) && known.has(name))
  return list && isOfRecords ? { path: list.path, shape: 'list', schema: list.item } : plain
}

/** Whether a body shows a record: by its component, or by its id and fields. `{ id, questionId }` is no question. */
export function isRecordOf({ schema, shape }: Envelope, collection: CollectionDraft): boolean {
  if (!schema || !collection.schema || shape === 'none') return false
  const [shown, own] = [componentOf(schema), componentOf(collection.schema)]
  if (schema === collection.schema || (shown !== undefined && shown === own)) return true
  if (schema.name !== undefined && collection.schema.name !== undefined) return false
  const [fields, known, noun] = [fieldsOf(schema), fieldsOf(collection.schema), foldNoun(collection.noun)]
  const isBelow = [...fields.keys()].some((name) => nounOfId(name) === noun && !known.has(name))
  return !(isBelow && fields.has('id')) && hasOwnId(schema, collection.hints.keys) && isAlike(schema, collection.schema)
}

/** Whether an answer shows a record of the collection, or a part of one, whatever its component: `{ object, id }`. */
export function showsRecord(envelope: Envelope, collection: CollectionDraft): boolean {
  const { schema, shape } = envelope
  if (isRecordOf(envelope, collection)) return true
  if (!schema || shape === 'none' || !hasOwnId(schema, collection.hints.keys)) return false
  const shared = countShared(schema, collection.schema)
  return shared > 0 && shared >= Math.min(fieldsOf(schema).size, fieldsOf(collection.schema).size) / 2
}
