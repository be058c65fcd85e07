import { loadEntry } from '../../src/library/built-in-entries.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'

/** A description of `bytes`: the library's payments API again and again, each time under names of its own. */
export async function largeDescription(bytes: number): Promise<string> {
  const entry = await loadEntry('payments')
  if (entry === undefined) throw new Error('Failed to find library entry "payments".')
  const { openapi } = entry
  const paths: JsonObject = {}
  const components: Record<string, JsonObject> = {}
  const whole = { ...openapi, paths, components }
  for (let copy = 1; JSON.stringify(whole).length < bytes; copy++) addCopy(openapi, copy, { paths, components })
  return JSON.stringify(whole)
}

function addCopy(
  openapi: JsonObject,
  copy: number,
  { paths, components }: { paths: JsonObject; components: Record<string, JsonObject> },
): void {
  for (const [path, item] of Object.entries(openapi.paths as JsonObject)) {
    paths[`/area${copy}${path}`] = renamed(item as Json, copy)
  }
  for (const [kind, named] of Object.entries(openapi.components as Record<string, JsonObject>)) {
    const target = components[kind] ?? {}
    components[kind] = target
    for (const [name, value] of Object.entries(named)) {
      if (kind === 'securitySchemes') target[name] = value
      else target[`${name}${copy}`] = renamed(value as Json, copy)
    }
  }
}

function renamed(value: Json, copy: number): Json {
  if (Array.isArray(value)) return value.map((item) => renamed(item, copy))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (name === '$ref' && typeof item === 'string') return [name, `${item}${copy}`]
      if (name === 'operationId' && typeof item === 'string') return [name, `${item}${copy}`]
      return [name, renamed(item as Json, copy)]
    }),
  )
}

/** The minimal work of any parser: parse the text, and resolve each reference once. */
export function parseAndResolve(text: string): number {
  const document = JSON.parse(text) as JsonObject
  let resolved = 0
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (isJsonObject(value)) {
      if (typeof value.$ref === 'string') {
        const segments = value.$ref.slice(2).split('/')
        let target: Json | undefined = document
        for (const name of segments) target = isJsonObject(target) ? target[name] : undefined
        if (target !== undefined) resolved++
      }
      for (const name in value) visit(value[name] as Json)
    }
  }
  visit(document)
  return resolved
}
