import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LibraryEntry } from '../library/library-entry.ts'
import { readTextFile } from '../runtime/read-text-file.ts'
import type { Schema } from '../schema/schema.ts'
import type { ApiModel, Operation } from '../service/openapi/model.ts'
import type { CompiledOperation } from '../service/simulated-api/compiled/compiled-operation.ts'
import type { EntryEffects } from '../service/simulated-api/facts/entry-effects.ts'
import type { HandlerReads } from './handler-reads.ts'

/** Deepest level of fields that is looked at. */
const DEEPEST = 4
/** Kinds of operations whose records keep what the request sends. */
const KEEPING = new Set(['create', 'update', 'replace'])
/** Read by the service itself. */
const READ_BY_SERVICE = ['query.expand', 'body.expand', 'header.idempotency-key', 'header.accept']

/**
 * Parameters and body fields without effect that the entry does not list as ignored, and listed ones that have one: a
 * sentence each.
 */
export async function unreadInputs(entry: LibraryEntry, reads: HandlerReads): Promise<string[]> {
  const { effects, ignored = [], handlers } = entry
  if (effects === undefined && handlers === undefined) return []
  const [{ readDescription }, { CompiledApi }, { indexEffects }] = await Promise.all([
    import('../service/openapi/read-description.ts'),
    import('../service/simulated-api/compiled/compiled-api.ts'),
    import('../service/simulated-api/facts/entry-effects.ts'),
  ])
  const model = readDescription(entry.openapi)
  const compiled = new CompiledApi(model)
  const book = indexEffects({ ...(effects && { effects }), facts: {} })
  const code = handlers === undefined ? '' : await codeIn(dirname(fileURLToPath(handlers)))
  const ofAll = ignored.flatMap(({ fields, on }) => (on === undefined ? fields : []))
  const { securitySchemes } = Object(entry.openapi.components)
  const keys = Object.values(Object(securitySchemes)).map((scheme) => `body.${Object(scheme).name}`)
  const readByAny = new Set([
    ...READ_BY_SERVICE,
    ...ofAll,
    ...(book.accounts?.headers ?? []).map((name) => `header.${name}`),
    ...(JSON.stringify(effects ?? {}).match(/\bheader\.[a-z\d-]+/g) ?? []),
  ])
  const headers = (entry.sdk?.headers ?? []).filter((name) => !readByAny.has(`header.${name}`) && !code.includes(name))
  const ofOperations = model.operations.flatMap((operation) => {
    const on = `${operation.method} ${operation.path}`
    const isInModel = readByModel(book, compiled.operation(operation), model, {
      isHandled: reads.isWhole(on),
      dropped: reads.dropped(on),
    })
    const isInCode = (path: string) =>
      reads.handles(on) && (reads.has(on, path) ?? new RegExp(`\\b${path.split('.').at(-1)}\\b`).test(code))
    const inputs = inputsOf(operation)
    const unread = inputs.filter((path) => !isInModel(path) && !isInCode(path) && !keys.includes(path))
    const rows = ignored.filter((row) => row.on === undefined || [row.on].flat().includes(on))
    const isListed = (path: string) => rows.some(({ fields }) => fields.some((field) => isIn(path, field)))
    const missing = unread.filter((path) => !isListed(path) && !unread.some((other) => path.startsWith(`${other}.`)))
    const idle = rows.flatMap((row) =>
      row.fields.filter((field) =>
        row.on === undefined
          ? inputs.includes(field) && !unread.includes(field)
          : !unread.some((path) => isIn(path, field)),
      ),
    )
    return [
      ...missing.map(
        (path) => `${on} does nothing with ${path}. Read it in a handler, or list it as \`ignored\` in entry.yaml.`,
      ),
      ...idle.map((path) => `${on} reads ${path}, or has none, but entry.yaml lists it as \`ignored\`.`),
    ]
  })
  return [
    ...headers.map(
      (name) =>
        `Nothing reads header.${name}, which the SDK sends. Read it in a handler, or list it as \`ignored\` in entry.yaml.`,
    ),
    ...ofOperations,
  ]
}

/** The text of an entry's handlers, in which a field that they read is a word. */
async function codeIn(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => /\.m?[jt]s$/.test(file) && file !== 'client.mjs')
  return (await Promise.all(files.map((file) => readTextFile(join(folder, file))))).join('\n')
}

const isIn = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`)

/** Each parameter and body field, dotted; fields of a list's items without their positions. */
function inputsOf({ parameters, requestBody }: Operation): string[] {
  const own = parameters.flatMap(({ name, in: place }) =>
    place === 'query' || place === 'header'
      ? `${place}.${place === 'header' ? name.toLowerCase() : name.replace(/\[.*$/, '')}`
      : [],
  )
  const bodies = [...(requestBody?.content.values() ?? [])]
  const fields = bodies.flatMap((schema) => (schema === undefined ? [] : fieldsIn(schema, 'body', 0)))
  return [...new Set([...own, ...fields])]
}

function fieldsIn(schema: Schema, path: string, depth: number): string[] {
  const object = schema.items ?? schema
  return [...object.fields].flatMap(([name, field]) => {
    if (field.readOnly) return []
    const here = `${path}.${name}`
    return [here, ...(depth < DEEPEST ? fieldsIn(field, here, depth + 1) : [])]
  })
}

/**
 * What an operation reads without its handler: query parameters that filter, and the fields of the body that its records keep.
 *
 * @param isHandled whether only a handler does the operation
 * @param dropped fields that its handler leaves out
 */
function readByModel(
  book: EntryEffects,
  { operation, unreadParameters }: CompiledOperation,
  model: ApiModel,
  { isHandled, dropped }: { readonly isHandled: boolean; readonly dropped: readonly string[] },
): (path: string) => boolean {
  const read = new Set([...READ_BY_SERVICE, `body.${book.idempotencyField}`])
  if (!isHandled) {
    const { effect, parameters, requestBody } = operation
    for (const { name, in: place } of parameters)
      if (place === 'query' && !unreadParameters.includes(name)) read.add(`query.${name}`)
    if (effect.kind !== 'example') {
      const kept = 'collection' in effect && KEEPING.has(effect.kind) ? effect.collection : undefined
      const schema = model.collections.find(({ name }) => name === kept)?.schema
      const sent = [...(requestBody?.content.values() ?? [])].flatMap((body) => [...(body?.fields.keys() ?? [])])
      for (const name of schema?.fields.size ? schema.fields.keys() : sent)
        if (!dropped.includes(name)) read.add(`body.${name}`)
    }
  }
  return (path) => [...read].some((one) => isIn(one, path) || isIn(path, one))
}
