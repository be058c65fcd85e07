import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

interface Description {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  components: { responses: Record<string, Response>; schemas: Record<string, object> }
}
interface Response {
  $ref?: string
  content?: Record<string, { schema: object }>
}

/** Says what of an answer its description does not say: an unknown status, a field that is missing or undocumented. */
export type CheckAnswer = (method: string, path: string, status: number, body: unknown) => string | undefined

/** A check against `GET /v1/openapi.json`, with objects closed, so that an undocumented field is a fault. */
export function createAnswerCheck(description: Description): CheckAnswer {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: 'api', components: { schemas: close(description.components.schemas) } })
  const templates = Object.keys(description.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return (method, path, status, body) => {
    const [pathname = ''] = path.split('?')
    const found = templates
      .filter(({ pattern }) => pattern.test(pathname))
      .sort((a, b) => count(a.path) - count(b.path))[0]
    const operation = found && description.paths[found.path]?.[method.toLowerCase()]
    if (operation === undefined) return undefined
    const named = operation.responses[status]
    if (named === undefined) return `${method} ${found?.path} answers ${status}, which its description does not have`
    const response = named.$ref ? description.components.responses[named.$ref.split('/').at(-1) as string] : named
    const schema = response?.content?.['application/json']?.schema as { $ref?: string } | undefined
    if (schema?.$ref === undefined) return undefined
    const validate = ajv.getSchema(`api${schema.$ref}`)
    if (validate?.(body)) return undefined
    return `${method} ${found?.path} ${status}: ${ajv.errorsText(validate?.errors, { dataVar: 'body' })}`
  }
}

const count = (path: string): number => path.split('{').length

/** No properties but those named. */
function close<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(close) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]))
  const isOpen = 'properties' in closed && !('additionalProperties' in closed)
  return (isOpen ? { ...closed, additionalProperties: false } : closed) as T
}
