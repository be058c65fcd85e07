import type { Endpoint } from '../../protocol/endpoint.ts'
import type { EndpointId } from '../../protocol/endpoints.ts'

/** What a path leads to. */
interface FoundPath {
  /** The endpoints at the path, by their methods. */
  readonly ids: ReadonlyMap<string, EndpointId>
  /** Parameters of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

/** Finds the endpoints of a path, which is percent-encoded. */
export type FindPath = (path: string) => FoundPath | undefined

/** Prepares the look-up of endpoints by path. Of several paths that fit, the first in the table counts. */
export function createFindPath(endpoints: readonly [EndpointId, Endpoint][]): FindPath {
  const templates = [...Map.groupBy(endpoints, ([, { path }]) => path)].map(([path, rows]) => ({
    segments: path.split('/'),
    ids: new Map(rows.map(([id, { method }]) => [method as string, id])),
  }))
  return (path) => {
    const given = path.split('/').map(decode)
    for (const { segments, ids } of templates) {
      const parameters = match(segments, given)
      if (parameters !== undefined) return { ids, parameters }
    }
    return undefined
  }
}

/** The parameters of a path; undefined where it does not fit the template. */
function match(segments: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const value = given[at] as string
    if (segment.startsWith('{') && value !== '') parameters[segment.slice(1, -1)] = value
    else if (segment !== value) return undefined
  }
  return parameters
}

/** A segment with a broken percent-encoding is taken as it came. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
