import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { documentKinds, recordKinds } from '../names/event-kinds.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { EventRow } from '../protocol/webhook-scheme/webhook-format.ts'
import type { Schema } from '../schema/schema.ts'
import type {
  ApiModel,
  CollectionModel,
  DeclaredEvent,
  Operation,
  Parameter,
  ResponseModel,
} from '../service/openapi/model.ts'
import { circularTypes, endlessTypes, renamed } from './circular-types.ts'
import { readModel, takesDescription } from './read-document.ts'
import { printLines, toPrintable } from './terminal.ts'
import { quote, TypeWriter } from './type-writer.ts'

/** Adds `backlot types` to the program. */
export function addTypesCommand(program: Command): void {
  takesDescription(program.command('types'))
    .description('write TypeScript types of an API: `paths` for openapi-fetch, `Api` for Simulation<Api>')
    .option('-o, --output <file>', 'where to write them (default: to the terminal)')
    .action(runTypes)
}

async function runTypes(
  source: string,
  { output, ...flags }: { output?: string; include?: string[]; library?: string },
): Promise<void> {
  const { document, model } = await readModel(source, flags)
  const text = await typesText(document, model)
  if (output === undefined) {
    process.stdout.write(text)
    return
  }
  await writeFile(output, text)
  printLines([`Wrote ${output}: ${model.operations.length} operations, ${model.collections.length} collections.`])
}

export async function typesText(document: JsonObject, model: ApiModel): Promise<string> {
  const { ComponentSchemas } = await import('../service/openapi/schemas/component-schemas.ts')
  return toPrintable(writeTypes(model, new TypeWriter(new ComponentSchemas(document))))
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const PLACES = ['query', 'header', 'path', 'cookie'] as const

/**
 * TypeScript declarations of an API: `paths` and `components` in the form of openapi-fetch, and `Api`, the types of
 * records and events for `Simulation<Api>`.
 */
function writeTypes(model: ApiModel, writer: TypeWriter): string {
  const paths = Map.groupBy(model.operations, ({ path }) => path)
  const lines = [
    comment(`Types of ${model.title} ${model.version}, written by \`backlot types\`. Do not edit.`),
    '',
    'export interface paths {',
    ...[...paths].flatMap(([path, operations]) => writePath(writer, path, operations)),
    '}',
    '',
    ...recordTypeLines(writer, model, { operations: operationLines(model) }),
    '',
  ]
  return lines.join('\n')
}

/**
 * The types of records and events, for a library entry.
 *
 * @param rows the events of its webhooks, where they have other names than our own kinds
 */
export function writeRecordTypes(model: ApiModel, writer: TypeWriter, rows?: readonly EventRow[]): string {
  const header = comment(`Types of ${model.title} ${model.version}, written by the build. Do not edit.`)
  return [header, '', ...recordTypeLines(writer, model, { rows }), ''].join('\n')
}

/** What changes records, and returns one. */
const CHANGES = new Set(['create', 'update', 'replace', 'action'])

/** The operations for `handlers<Api>`, each with what it is about. */
function operationLines({ operations }: ApiModel): string[] {
  const known = operations.filter(({ method }) => METHODS.includes(method.toLowerCase()))
  const lines = known.map(({ method, path, effect }) => {
    const isMany = ('many' in effect && effect.many) || ('upsert' in effect && effect.upsert)
    const facts = [
      `of: paths[${quote(path)}][${quote(method.toLowerCase())}]`,
      ...('collection' in effect ? [`collection: ${quote(effect.collection)}`] : []),
      ...('keys' in effect && effect.keys.length > 0 && !isMany ? ['names: true'] : []),
      ...(CHANGES.has(effect.kind) ? ['changes: true'] : []),
    ]
    return `    ${quote(`${method} ${path}`)}: { ${facts.join('; ')} }`
  })
  return ['  operations: {', ...lines, '  }']
}

function recordTypeLines(
  writer: TypeWriter,
  model: ApiModel,
  { rows, operations = [] }: { rows?: readonly EventRow[] | undefined; operations?: readonly string[] },
): string[] {
  return [
    '/** Records by collection and events by kind, for `Simulation<Api>`, and operations for `handlers<Api>`. */',
    'export interface Api {',
    '  records: {',
    ...model.collections.map((collection) => `    ${quote(collection.name)}: ${recordType(writer, collection)}`),
    '  }',
    '  events: {',
    ...(rows === undefined ? writeEvents(writer, model) : writeRows(writer, model, rows)),
    '  }',
    ...operations,
    '}',
    ...componentLines(writer),
  ]
}

/** The declarations of named types, if there are any. */
function componentLines(writer: TypeWriter): string[] {
  const types = new Map(writer.components().map(([name, type]) => [quote(name), type]))
  if (types.size === 0) return []
  const circular = circularTypes(types)
  const endless = endlessTypes(types, circular)
  const names = new Map([...circular].map((name, at) => [name, `Circular${at + 1}`]))
  const schemas = [...types].map(([name, type]) => `    ${name}: ${names.get(name) ?? type}`)
  const aliases = [...names].map(([name, own]) => {
    const type = endless.has(name) ? 'unknown' : renamed(types.get(name) ?? '', names)
    return `type ${own} = ${type}`
  })
  return ['', 'export interface components {', '  schemas: {', ...schemas, '  }', '}', '', ...aliases].slice(
    0,
    aliases.length > 0 ? undefined : -1,
  )
}

/** A comment on one line, escaped so that its text cannot end it. */
const comment = (text: string): string => `/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */`

/** A kind of event from several collections has the union of their types. */
function writeEvents(writer: TypeWriter, model: ApiModel): string[] {
  const types = new Map<string, Set<string>>()
  const add = (kind: string, type: string): void => {
    types.set(kind, (types.get(kind) ?? new Set()).add(type))
  }
  for (const collection of model.collections) {
    const record = eventRecord(writer, collection)
    const kinds = recordKinds(collection)
    for (const { type, body } of model.declaredEvents.filter((event) => event.collection === collection.name))
      add(type, hasWholeRecord(body) ? shownType(writer, collection) : writer.typeOf(body?.schema))
    if (model.declaredEvents.length > 0) continue
    for (const [change, kind] of Object.entries(kinds)) add(kind, change === 'deleted' ? 'null' : record)
  }
  const kindsOf = documentKinds(model)
  for (const singleton of model.singletons) {
    const { updated, deleted } = kindsOf(singleton)
    if (updated !== undefined) add(updated, writer.typeOf(singleton.schema))
    if (deleted !== undefined) add(deleted, 'null')
  }
  return [...types].map(([kind, union]) => `    ${quote(kind)}: ${[...union].join(' | ')}`)
}

/** Whether `data.object` of a received webhook is the record; else it is the whole body. */
const hasWholeRecord = (body: DeclaredEvent['body']): boolean =>
  body === undefined || body.places.some(({ value }) => JSON.stringify(value) === '{"$record":"."}')

/** Events as a library entry names them, with the record of the collection, also for deletions. */
function writeRows(writer: TypeWriter, { collections }: ApiModel, rows: readonly EventRow[]): string[] {
  const types = new Map<string, Set<string>>()
  for (const { on, type, types: several } of rows) {
    const name = on.slice(0, on.lastIndexOf('.'))
    for (const collection of collections.filter((one) => on === '*' || one.name === name)) {
      for (const event of several ?? [type ?? []].flat())
        types.set(event, (types.get(event) ?? new Set()).add(shownType(writer, collection)))
    }
  }
  return [...types].map(([event, union]) => `    ${quote(event)}: ${[...union].join(' | ')}`)
}

/** The type of a record as events show it. */
const shownType = (writer: TypeWriter, collection: CollectionModel): string =>
  collection.shownSchema === undefined ? eventRecord(writer, collection) : writer.typeOf(collection.shownSchema)

/** The type of a collection's records, with the collection's name where it has no name. */
function eventRecord(writer: TypeWriter, collection: CollectionModel): string {
  const type = recordType(writer, collection)
  return type.startsWith('{') ? `Api['records'][${quote(collection.name)}]` : type
}

const recordType = (writer: TypeWriter, { schema, listSchema }: CollectionModel): string => {
  const shown = schema ?? listSchema
  const type = shown !== undefined && mayHaveFields(shown) ? writer.typeOf(shown) : 'unknown'
  return type === 'unknown' ? '{ [name: string]: unknown }' : type
}

/** What can only be a text or a number is no record: such records have fields of our own. */
const mayHaveFields = ({ types, variants }: Schema): boolean =>
  variants !== undefined || types.length === 0 || types.includes('object')

function writePath(writer: TypeWriter, path: string, operations: readonly Operation[]): string[] {
  const byMethod = new Map(operations.map((operation) => [operation.method.toLowerCase(), operation]))
  return [
    `  ${quote(path)}: {`,
    '    parameters: { query?: never; header?: never; path?: never; cookie?: never }',
    ...METHODS.flatMap((method) => {
      const operation = byMethod.get(method)
      return operation === undefined ? [`    ${method}?: never`] : writeOperation(writer, method, operation)
    }),
    '  }',
  ]
}

function writeOperation(writer: TypeWriter, method: string, operation: Operation): string[] {
  const { summary, parameters, requestBody, responses } = operation
  return [
    ...(summary === undefined ? [] : [`    ${comment(summary)}`]),
    `    ${method}: {`,
    `      parameters: { ${PLACES.map((place) => writeParameters(writer, place, parameters)).join('; ')} }`,
    requestBody === undefined
      ? '      requestBody?: never'
      : `      requestBody${requestBody.required ? '' : '?'}: { content: ${contentType(writer, requestBody.content)} }`,
    '      responses: {',
    ...[...responses].map(([status, response]) => `        ${statusKey(status)}: ${responseType(writer, response)}`),
    '      }',
    '    }',
  ]
}

function writeParameters(writer: TypeWriter, place: (typeof PLACES)[number], all: readonly Parameter[]): string {
  const parameters = all.filter((parameter) => parameter.in === place)
  if (parameters.length === 0) return `${place}?: never`
  const members = parameters.map(({ name, required, schema }) => {
    return `${quote(name)}${required ? '' : '?'}: ${writer.typeOf(schema)}`
  })
  return `${place}${parameters.some(({ required }) => required) ? '' : '?'}: { ${members.join('; ')} }`
}

function responseType(writer: TypeWriter, { content }: ResponseModel): string {
  const schemas = new Map([...content].map(([media, { schema }]) => [media, schema]))
  const body = schemas.size === 0 ? 'content?: never' : `content: ${contentType(writer, schemas)}`
  return `{ headers: { [name: string]: unknown }; ${body} }`
}

function contentType(writer: TypeWriter, content: ReadonlyMap<string, Schema | undefined>): string {
  return `{ ${[...content].map(([media, schema]) => `${quote(media)}: ${writer.typeOf(schema)}`).join('; ')} }`
}

/** `200` stays a number, `4XX` and `default` become texts. */
const statusKey = (status: string): string => (/^\d{3}$/.test(status) ? status : quote(status))
