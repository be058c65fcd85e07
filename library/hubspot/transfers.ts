/** Imports of records from CSV files, and exports to such files. Both are done by the time of their next read. */
import { parseJson, valueText } from '../../src/protocol/json.ts'
import { link } from './associations.ts'
import { changeObject, createObject } from './changes.ts'
import {
  type CrmObject,
  type Fields,
  fieldsOf,
  type HubspotRequest,
  isMissing,
  type Json,
  type Kind,
  listOf,
  namesIn,
  type Operations,
  without,
} from './hubspot.ts'
import { membersOf } from './lists.ts'
import { objectCalled } from './objects.ts'
import { toProperty } from './properties.ts'
import { matching } from './search.ts'

const PAGE = { usual: 10, most: 100 }
/** What names a record in a file, besides the columns that say so. */
const USUAL_IDS: Fields = { contacts: 'email', companies: 'domain' }
/** Faults of values, as imports call them. */
const FAULTS: Fields = {
  INVALID_EMAIL: 'INVALID_EMAIL',
  INVALID_OPTION: 'INVALID_ENUMERATION_OPTION',
  INVALID_INTEGER: 'COULD_NOT_PARSE_NUMBER',
  INVALID_LONG: 'COULD_NOT_PARSE_DATE',
  INVALID_OWNER_ID: 'COULD_NOT_FIND_OWNER',
  PROPERTY_DOESNT_EXIST: 'PROPERTY_DEFINITION_NOT_FOUND',
}
/** Places of year, month and day in a date. */
const DATES: Readonly<Record<string, [number, number, number]>> = {
  DAY_MONTH_YEAR: [2, 1, 0],
  MONTH_DAY_YEAR: [2, 0, 1],
  YEAR_MONTH_DAY: [0, 1, 2],
}

/** The cells of a CSV file, by rows. Spreadsheets begin it with a byte order mark. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end = ''] of text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '') break
    if (end !== ',') rows.push([])
  }
  return rows
}

const toCell = (value: Json | undefined): string => `"${valueText(value ?? '').replaceAll('"', '""')}"`

function importAll(hubspot: HubspotRequest): Fields {
  const { body, iso, records } = hubspot
  const request = fieldsOf(typeof body.importRequest === 'string' ? parseJson(body.importRequest) : body.importRequest)
  hubspot.need('name files', request)
  const counters = { TOTAL_ROWS: 0, CREATED_OBJECTS: 0, UPDATED_OBJECTS: 0, UNIQUE_OBJECTS_WRITTEN: 0 }
  const errors: Fields[] = []
  const types = new Set<string>()
  for (const { fileName, fileImportPage } of listOf(request.files)) {
    const file = hubspot.of.files.find(({ name }) => name === fileName)
    if (!file?.base64) return hubspot.invalid(`The request has no file ${fileName}`)
    const { columnMappings, hasHeader = true } = fieldsOf(fileImportPage)
    const columns = listOf(columnMappings)
    const rows = rowsOf(Buffer.from(file.base64, 'base64').toString())
    const head = rows[0] ?? []
    for (const [at, cells] of rows.slice(hasHeader ? 1 : 0).entries()) {
      counters.TOTAL_ROWS += 1
      const cellOf = (name: Json | undefined, place: number) => cells[hasHeader ? head.indexOf(String(name)) : place]
      const made: CrmObject[] = []
      const byType = Object.groupBy(
        columns.map((column, place): Fields => ({ ...column, cell: cellOf(column.columnName, place) ?? '' })),
        ({ columnObjectTypeId }) => valueText(columnObjectTypeId ?? ''),
      )
      for (const [type, some = []] of Object.entries(byType)) {
        const kind = hubspot.kindCalled(type) ?? hubspot.invalid(`Unable to infer object type from: ${type}`)
        types.add(kind.id)
        try {
          const { object, isNew } = importOne(hubspot, kind, some, request)
          counters[isNew ? 'CREATED_OBJECTS' : 'UPDATED_OBJECTS'] += 1
          counters.UNIQUE_OBJECTS_WRITTEN += 1
          made.push(object)
        } catch (fault) {
          if (!(fault instanceof Error) || !('facts' in fault)) throw fault
          const { facts: { errors: faults } = {}, message } = fault as { facts?: Fields; message: string }
          const [{ code = '', message: errorMessage = message } = {}] = listOf(faults)
          const sourceData = { rowData: cells, lineNumber: at + (hasHeader ? 2 : 1), fileId: 1, pageName: null }
          const facts = { errorType: FAULTS[valueText(code)] ?? 'UNKNOWN_BAD_REQUEST', errorMessage, sourceData }
          errors.push({ id: hubspot.digits(9), createdAt: hubspot.ms, objectTypeId: kind.id, ...facts })
        }
      }
      const [first, ...others] = made
      for (const other of others) link(hubspot, first?.id, other.id, [])
    }
  }
  const kept = records.imports.create({
    ...{ id: hubspot.digits(8), importName: request.name ?? null, importRequestJson: request, importSource: 'API' },
    ...{ mappedObjectTypeIds: [...types], optOutImport: false, createdAt: iso, updatedAt: iso },
    ...{ state: 'DONE', metadata: { counters, fileIds: ['1'], objectLists: [] }, errors },
  })
  return { ...without(kept, 'errors'), state: 'STARTED', metadata: { counters: {}, fileIds: ['1'], objectLists: [] } }
}

/** Creates or changes the object of a row. @param columns with their `cell` */
function importOne(
  hubspot: HubspotRequest,
  kind: Kind,
  columns: readonly Fields[],
  { importOperations, dateFormat = 'MONTH_DAY_YEAR' }: Fields,
): { object: CrmObject; isNew: boolean } {
  const way = fieldsOf(importOperations)[kind.id] ?? 'UPSERT'
  const types = new Map(hubspot.definitionsOf(kind).map(({ name, type }) => [name, valueText(type ?? '')]))
  const toValue = ({ propertyName, cell = '' }: Fields): Json => {
    const parts = String(cell).split(/[/.-]/)
    const order = DATES[valueText(dateFormat)]
    if (!types.get(propertyName)?.startsWith('date') || parts.length !== 3 || order === undefined) return cell
    return order.map((at) => parts[at]?.padStart(2, '0')).join('-')
  }
  const isRecordId = ({ columnType }: Fields) => columnType === 'HUBSPOT_OBJECT_ID'
  const filled = columns.filter((one) => !isRecordId(one) && !isMissing(one.propertyName) && !isMissing(one.cell))
  const properties = Object.fromEntries(filled.map((one) => [valueText(one.propertyName), toValue(one)]))
  const marked = columns.find(({ columnType, idColumnType }) => (columnType ?? idColumnType) === 'HUBSPOT_ALTERNATE_ID')
  const idProperty = marked?.propertyName ?? USUAL_IDS[kind.name]
  const id = columns.find(isRecordId)?.cell
  const object = isMissing(id)
    ? isMissing(idProperty)
      ? undefined
      : objectCalled(hubspot, kind, { id: properties[valueText(idProperty)], idProperty })
    : (objectCalled(hubspot, kind, { id }) ?? hubspot.invalid(`No record has the ID ${id}`))
  if (object && way === 'CREATE') return hubspot.invalid('The record exists, and the import creates records alone')
  if (!object && way === 'UPDATE') return hubspot.invalid('No such record exists, and the import updates records alone')
  if (object) return { object: changeObject(hubspot, kind, object, { properties }), isNew: false }
  return { object: createObject(hubspot, kind, { properties }), isNew: true }
}

function exportAll(hubspot: HubspotRequest): Fields {
  const { body, iso, records } = hubspot
  hubspot.need('exportType format exportName objectType objectProperties')
  const { exportType, exportName, objectProperties, publicCrmSearchRequest, listId } = body
  if (body.format !== 'CSV') hubspot.invalid('This simulation exports the format CSV alone')
  const kind =
    hubspot.kindCalled(body.objectType) ?? hubspot.invalid(`Unable to infer object type from: ${body.objectType}`)
  const members = exportType === 'LIST' ? membersOf(hubspot, hubspot.find('lists', listId)) : []
  const ids = new Set(members.map(({ recordId }) => recordId))
  const objects = matching(hubspot, kind, fieldsOf(publicCrmSearchRequest)).filter(
    ({ id }) => exportType !== 'LIST' || ids.has(id),
  )
  const names = namesIn(objectProperties)
  const isInternal = namesIn(body.exportInternalValuesOptions).includes('NAMES')
  const labelOf = (name: string): Json | undefined => {
    const definition = hubspot.definitionsOf(kind).find((one) => one.name === name)
    return isInternal || definition === undefined ? name : toProperty(hubspot, kind, definition).label
  }
  const lines = [
    ['Record ID', ...names.map(labelOf)],
    ...objects.map(({ id, properties }) => [id, ...names.map((name) => properties[name])]),
  ]
  const { id } = records.exports.create({
    ...{ id: hubspot.digits(8), exportState: 'DONE', exportType, exportName, objectType: kind.name.toUpperCase() },
    ...{ objectProperties: names, recordCount: objects.length, createdAt: iso, updatedAt: iso },
    content: lines.map((cells) => cells.map(toCell).join(',')).join('\n'),
  } as Fields)
  return { id, links: { status: `${hubspot.of.origin}/crm/v3/exports/export/async/tasks/${id}/status` } }
}

export const transfers: Operations = {
  'POST /crm/v3/imports': importAll,
  'GET /crm/v3/imports': (hubspot) => hubspot.list([...hubspot.records.imports], PAGE, (one) => without(one, 'errors')),
  'GET /crm/v3/imports/{importId}': (hubspot) => without(hubspot.find('imports', hubspot.path.importId), 'errors'),
  'GET /crm/v3/imports/{importId}/errors': (hubspot) => {
    const errors = listOf(hubspot.find('imports', hubspot.path.importId).errors)
    return hubspot.list(errors, PAGE, (error) => error)
  },
  'POST /crm/v3/imports/{importId}/cancel': (hubspot) => {
    hubspot.find('imports', hubspot.path.importId)
    return hubspot.invalid('The import is done and cannot be canceled')
  },
  'POST /crm/v3/exports/export/async': (hubspot) => hubspot.of.respond({ status: 202, body: exportAll(hubspot) }),
  'GET /crm/v3/exports/export/async/tasks/{taskId}/status': (hubspot) => {
    const { id, createdAt: at = null } = hubspot.find('exports', hubspot.path.taskId)
    const result = `${hubspot.of.origin}/crm-exports/${id}/export.csv`
    return { status: 'COMPLETE', result, requestedAt: at, startedAt: at, completedAt: at, numErrors: 0, errors: [] }
  },
  'GET /crm/v3/exports/export/{exportId}': (hubspot) =>
    without(hubspot.find('exports', hubspot.path.exportId), 'content'),
  'GET /crm-exports/{exportId}/export.csv': (hubspot) => {
    const { content = '' } = hubspot.find('exports', hubspot.path.exportId)
    return hubspot.of.respond({ headers: { 'Content-Type': 'text/csv' }, body: Buffer.from(valueText(content)) })
  },
}
