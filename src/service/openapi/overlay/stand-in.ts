import { findField } from '../../../names/find-field.ts'
import { fieldsOf, schemaOfBody } from '../inference/bodies/bodies.ts'
import type { MovedParameter, Parameter } from '../model.ts'
import type { OperationDraft } from '../operation-draft.ts'
import { paramsOf, parsePath } from '../operation-reader.ts'

/** An operation as though it were described with another method or path. */
export interface StandIn {
  readonly draft: OperationDraft
  /** Where requests have the parameters of that path. */
  readonly moved: Readonly<Record<string, MovedParameter>>
  /** Parameters of that path that the operation does not have. */
  readonly missing: readonly string[]
}

/**
 * `PUT /clinics/{clinicId}` for `POST /clinic/update { clinicId }`. The parameters are found by name in the path, the query
 * and the body; where one is left in both paths, it is the same.
 */
export function toStandIn(draft: OperationDraft, method: string, path: string): StandIn {
  const segments = parsePath(path)
  const names = paramsOf(segments)
  const own = paramsOf(draft.segments)
  const found = new Map(
    names.flatMap((name) => {
      const moved = own.includes(name) ? { in: 'path' as const, name } : findMoved(draft, name)
      return moved === undefined ? [] : [[name, moved] as const]
    }),
  )
  const used = new Set([...found.values()].flatMap(({ in: place, name }) => (place === 'path' ? [name] : [])))
  const [open, ...more] = names.filter((name) => !found.has(name))
  const [free, ...others] = own.filter((name) => !used.has(name))
  if (open !== undefined && free !== undefined && more.length + others.length === 0)
    found.set(open, { in: 'path', name: free })
  const gone = new Set([...found.values()].map(({ in: place, name }) => `${place} ${name}`))
  const kept = draft.parameters.filter(({ in: place, name }) => place !== 'path' && !gone.has(`${place} ${name}`))
  return {
    draft: {
      ...draft,
      id: `${method} ${path}`,
      named: false,
      summary: undefined,
      method,
      path,
      segments,
      parameters: [...kept, ...names.map((name) => toParameter(draft, name, found.get(name)))],
    },
    moved: Object.fromEntries([...found].filter(([name, moved]) => moved.in !== 'path' || moved.name !== name)),
    missing: names.filter((name) => !found.has(name)),
  }
}

function findMoved({ parameters, requestBody }: OperationDraft, name: string): MovedParameter | undefined {
  const query = parameters.filter(({ in: place }) => place === 'query').map((parameter) => parameter.name)
  const inQuery = findField(query, name)
  if (inQuery !== undefined) return { in: 'query', name: inQuery }
  const inBody = findField(fieldsOf(schemaOfBody(requestBody)).keys(), name)
  return inBody === undefined ? undefined : { in: 'body', name: inBody }
}

function toParameter(
  { parameters, requestBody }: OperationDraft,
  name: string,
  moved: MovedParameter | undefined,
): Parameter {
  const declared = parameters.find((one) => one.in === moved?.in && one.name === moved.name)
  const inBody = moved?.in === 'body' ? fieldsOf(schemaOfBody(requestBody)).get(moved.name) : undefined
  return { name, in: 'path', required: true, schema: declared?.schema ?? inBody, style: 'simple', explode: false }
}
