/** What a path leads to. */
export interface Found<T> {
  readonly entry: T
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
}

interface Pattern<T> {
  readonly segments: readonly string[]
  readonly entry: T
}

/** Finds entries by path. A segment of a pattern that begins with `:` stands for any one segment. */
export class Router<T> {
  readonly #byLength = new Map<number, Pattern<T>[]>()

  constructor(entries: ReadonlyMap<string, T>) {
    for (const [path, entry] of entries) {
      const segments = path.split('/')
      const others = this.#byLength.get(segments.length) ?? []
      this.#byLength.set(segments.length, [...others, { segments, entry }])
    }
  }

  /** The entry of the first pattern that `path`, percent-encoded as it came, fits. */
  find(path: string): Found<T> | undefined {
    const given = path.split('/').map(decode)
    for (const { segments, entry } of this.#byLength.get(given.length) ?? []) {
      const params = paramsOf(segments, given)
      if (params !== undefined) return { entry, params }
    }
    return undefined
  }
}

function paramsOf(segments: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const value = given[at] as string
    if (segment.startsWith(':') && value !== '') params[segment.slice(1)] = value
    else if (segment !== value) return undefined
  }
  return params
}

/** What is no valid encoding stands for itself. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
