import { foldName } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { Operation } from '../../model.ts'
import { attributesOf, fieldsOf, isScalarSchema } from '../bodies/bodies.ts'
import type { CollectionDraft } from './collection-draft.ts'

const FLAGS =
  `completed complete archived isarchived active isactive enabled isenabled disabled isdisabled closed isclosed done
  isdone paid published ispublished draft isdraft suspended issuspended locked cancelled canceled resolved approved
  verified revoked deleted`.split(/\s+/)
const STATUS_VALUES =
  /^(active|inactive|open|opened|closed|pending|draft|paid|unpaid|new|done|completed?|cancell?ed|failed|failure|success|succeeded|in_?progress|queued|running|processing|enabled|disabled|archived|published|approved|rejected|suspended|expired|scheduled|sent|delivered|void|voided|todo)$/i

/** The field of a record's status; null without one. */
export function findStatusField(schema: Schema | undefined): FieldPath | null {
  const own = schema?.once(statusIn)
  const inner = own === undefined ? attributesOf(schema)?.once(statusIn) : undefined
  return inner === undefined ? (own ?? null) : ['attributes', ...inner]
}

function statusIn(schema: Schema): FieldPath | undefined {
  const fields = [...schema.fields].map(([name, field]) => ({ name, field, folded: foldName(name) }))
  const isStatus = (folded: string) => folded === 'status' || folded === 'state'
  const pick = (accepts: (entry: (typeof fields)[number]) => boolean) => fields.find(accepts)
  const found =
    pick(({ folded, field }) => isStatus(folded) && hasChoice(field)) ??
    pick(({ folded, field }) => /(status|state|phase|stage|stagename|lifecycle)$/.test(folded) && hasChoice(field)) ??
    pick(({ folded, field }) => isStatus(folded) && isText(field) && (folded !== 'state' || !isAddress(schema)))
  if (found) return [found.name]
  const flag = FLAGS.map((name) => pick(({ folded, field }) => folded === name && isBoolean(field))).find(
    (entry) => entry,
  )
  const alike = flag ?? pick(({ field }) => hasChoice(field) && looksLikeStatus(field))
  return alike && [alike.name]
}

/** Whether it has a country beside its `state`: a tax rate, a sender. */
const isAddress = ({ fields }: Schema): boolean =>
  ['country', 'country_code', 'countryCode'].some((name) => fields.has(name))

const hasChoice = (field: Schema): boolean => isText(field) && (field.enum?.length ?? 0) > 1
const isText = (field: Schema): boolean =>
  field.types.includes('string') || (field.enum?.some((value) => typeof value === 'string') ?? false)
const isBoolean = (field: Schema): boolean => field.types.length === 1 && field.types[0] === 'boolean'

/** A status has few values; of a longer list only the first are checked. */
const MOST_VALUES = 100

function looksLikeStatus(field: Schema): boolean {
  const values = field.enum?.slice(0, MOST_VALUES) ?? []
  return values.filter((value) => typeof value === 'string' && STATUS_VALUES.test(value)).length >= 2
}

const CREATED =
  /^(createdat|created|createdon|datecreated|creationdate|creationtime|creationtimestamp|createdate|createtime|createddate|createddateutc|createddatetime|createdtime|createdtimestamp|insertedat|uploadedat|dateadded|addedat|timecreated|creationdatetime|createdts)$/
const UPDATED =
  /^(updatedat|updated|updatedon|dateupdated|datemodified|modified|modifiedat|modifiedon|modifieddate|lastmodified|lastmodifiedat|lastmodifieddate|lastupdated|lastupdate|lastupdatedat|updatedate|updatetime|updateddate|updateddateutc|updatedtime|modificationdate|modificationtime|modifiedtime|changedat|timeupdated|lastmodifieddatetime|lastmodifiedtime|lastupdatedtime|updateddatetime|lastchanged)$/

/** The fields for the times of creation and of the last change. */
export function findTimestamps(schema: Schema | undefined): {
  created: FieldPath | undefined
  updated: FieldPath | undefined
} {
  return { created: timestampIn(schema, createdField), updated: timestampIn(schema, updatedField) }
}

type FindField = (schema: Schema) => string | undefined

function timestampIn(schema: Schema | undefined, find: FindField): FieldPath | undefined {
  const own = schema?.once(find)
  if (own !== undefined) return [own]
  for (const name of ['attributes', 'metadata', 'meta']) {
    const inner = fieldsOf(schema).get(name)?.once(find)
    if (inner !== undefined) return [name, inner]
  }
  return undefined
}

const createdField: FindField = (schema) => timestampField(schema, CREATED)
const updatedField: FindField = (schema) => timestampField(schema, UPDATED)

function timestampField({ fields }: Schema, pattern: RegExp): string | undefined {
  for (const [name, field] of fields) {
    if (pattern.test(foldName(name)) && isScalarSchema(field) && !isBoolean(field)) return name
  }
  return undefined
}

/** Values of filters that no record has. */
const ANY = /^(all|any|both|either|everything|\*|)$/i

/**
 * The values of texts without an enum, from their descriptions and the filters of lists: a list filter `state` with `open`, `closed` and `all`
 * means that issues are open or closed.
 */
export function vocabularyOf(
  { schema }: CollectionDraft,
  lists: readonly Operation[],
): ReadonlyMap<string, readonly string[]> {
  const vocabulary = new Map<string, readonly string[]>()
  const open = schema?.once(openTexts)
  if (schema === undefined || open === undefined || open.size === 0) return vocabulary
  for (const [folded, name] of open) {
    const values = CHOICES.test(folded) ? describedValues(schema.fields.get(name)) : []
    if (values.length > 1) vocabulary.set(name, values)
  }
  for (const parameter of new Set(lists.flatMap(({ parameters }) => parameters))) {
    const name = parameter.in === 'query' ? open.get(foldName(parameter.name)) : undefined
    const values = name === undefined ? [] : valuesOf(parameter.schema)
    if (name !== undefined && values.length > 1 && !vocabulary.has(name)) vocabulary.set(name, values)
  }
  return vocabulary
}

/** Names of fields whose descriptions list all values. Other descriptions list examples, or other fields. */
const CHOICES = /(status|state|phase|stage|type|kind|mode|level|priority|role|visibility|reason|direction)$/

/** Names of unrestricted texts, by folded name. */
function openTexts({ fields }: Schema): ReadonlyMap<string, string> {
  const open = new Map<string, string>()
  for (const [name, field] of fields) if (isOpenText(field)) open.set(foldName(name), name)
  return open
}

function isOpenText({ types, enum: values, format, pattern, variants }: Schema): boolean {
  const isText = types.length === 1 && types[0] === 'string'
  return isText && values === undefined && format === undefined && pattern === undefined && variants === undefined
}

/** A parameter's fixed texts, directly or as items of a list. */
function valuesOf(schema: Schema | undefined): readonly string[] {
  const values = schema?.enum ?? schema?.items?.enum ?? []
  return values.filter((value): value is string => typeof value === 'string' && !ANY.test(value))
}

/** The values of a text without an enum, as its description lists them: `APPROVED, PENDING, or FAILED`. Empty for less than two. */
export const describedValues = (schema: Schema | undefined): readonly string[] => schema?.once(readValues) ?? NONE

const NONE: readonly string[] = []

/** Longest part of a description that is read. */
const MOST_TEXT = 1_000
/** A value: in quotes, or in capitals. */
const VALUE = '(?:`[\\w.-]{1,40}`|"[\\w.-]{1,40}"|\'[\\w.-]{1,40}\'|\\b[A-Z][A-Z_]{2,39}\\b)'
const LISTED = new RegExp(`${VALUE}(?:\\s*(?:,|\\||/|\\bor\\b|\\band\\b)(?:\\s*(?:or|and)\\b)?\\s*${VALUE})+`)

function readValues(schema: Schema): readonly string[] {
  const [listed] = (isOpenText(schema) && LISTED.exec((schema.description ?? '').slice(0, MOST_TEXT))) || []
  if (listed === undefined) return NONE
  const words = [...listed.matchAll(new RegExp(VALUE, 'g'))].map(([value]) => value.replace(/^[`"']|[`"']$/g, ''))
  return [...new Set(words)]
}
