const id = encodeURIComponent

/** Paths of the management API, relative to the base URL (specification, Endpoints). `simulation` is an id or a slug. */
export const paths = {
  meta: '/v1/meta',
  library: '/v1/library',
  usage: '/v1/usage',
  simulations: '/v1/simulations',
  sinks: '/v1/sinks',
  sink: (sink: string) => `/v1/sinks/${id(sink)}`,
  simulation: (simulation: string) => `/v1/simulations/${id(simulation)}`,
  /** A part of one simulation: `part(simulation, 'rules', ruleId)`. */
  part: (simulation: string, ...segments: readonly string[]) =>
    `/v1/simulations/${id(simulation)}/${segments.map(id).join('/')}`,
}

/** `path` with the defined ones of `query` behind it. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? path : `${path}?${search}`
}
