import { singularName } from '../../names/nouns.ts'
import { resourceNameIn } from '../../names/resource-name.ts'
import { snakeCase } from '../../names/words.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { textOf } from './operation-draft.ts'

/** A path, and the parameters that it has. */
interface WrittenPath {
  readonly path: string
  readonly parameters: readonly JsonObject[]
}

/**
 * A path with each parameter that is a resource name written out: `/v1/{name}`, whose pattern is
 * `projects/[^/]+/topics/[^/]+`, is `/v1/projects/{project}/topics/{topic}`. Undefined without such a parameter.
 * gRPC-Gateway's `protoc-gen-openapiv2` writes paths so (its `path_template` of google.aip.dev/127).
 */
export function writeOutResources(path: string, parameters: readonly JsonObject[]): WrittenPath | undefined {
  let written: WrittenPath = { path, parameters }
  for (const parameter of parameters) {
    const parts = parameter.in === 'path' ? partsOf(parameter) : undefined
    const place = `{${String(parameter.name)}}`
    if (parts === undefined || !written.path.includes(place)) continue
    const { pattern: _, schema, ...rest } = parameter
    const { pattern: __, ...plain } = isJsonObject(schema) ? schema : {}
    const own = parts.flatMap((part) => (part.startsWith('{') ? [part.slice(1, -1)] : []))
    written = {
      path: written.path.replace(place, parts.join('/')),
      parameters: written.parameters.flatMap((other) =>
        other === parameter
          ? own.map((name) => ({ ...rest, name, ...(schema !== undefined && { schema: plain }) }))
          : [other],
      ),
    }
  }
  return written.path === path ? undefined : written
}

/** The parts of a pattern that has slashes between words and anything else: `projects`, `{project}`. */
function partsOf({ pattern, schema, description }: JsonObject): readonly string[] | undefined {
  const text = textOf(pattern) ?? (isJsonObject(schema) ? textOf(schema.pattern) : undefined) ?? ''
  const parts = text
    .replace(/^\^|\$$/g, '')
    .replaceAll('[^/]+', '*')
    .split('/')
  if (parts.length < 2 || !parts.every((part) => /^(\*|[\w.-]+)$/.test(part))) return undefined
  const described = resourceNameIn(textOf(description))
  if (described?.length === parts.length) return described
  return parts.map((part, at) => (part === '*' ? `{${singularName(snakeCase(parts[at - 1] ?? `part_${at}`))}}` : part))
}
