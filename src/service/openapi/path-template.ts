import type { PathSegment } from './model.ts'

/**
 * The segments of a path template. A query or hash that was written into the path is left out, and so is a trailing
 * slash.
 */
export function parsePath(path: string): PathSegment[] {
  const [plain = ''] = path.split(/[?#]/, 1)
  return plain
    .split('/')
    .filter((text) => text !== '')
    .map(parseSegment)
}

function parseSegment(text: string): PathSegment {
  const pieces = text.split(/\{([^{}]*)\}/)
  const names = pieces.filter((_, at) => at % 2 === 1)
  const literals = pieces.filter((_, at) => at % 2 === 0)
  const [name, ...more] = names
  if (name === undefined) return { kind: 'static', text }
  if (more.length > 0) return { kind: 'mixed', names, literals }
  return { kind: 'param', name, prefix: literals[0] ?? '', suffix: literals[1] ?? '' }
}

/** Names of the parameters of a path, in their order. */
export function paramsOf(segments: readonly PathSegment[]): string[] {
  return segments.flatMap((segment) => {
    if (segment.kind === 'static') return []
    return segment.kind === 'param' ? [segment.name] : [...segment.names]
  })
}
