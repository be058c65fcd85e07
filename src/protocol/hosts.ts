/** A host name, in lower case. */
export const HOST_NAME = /^(?=.{1,253}$)[a-z\d-]+(?:\.[a-z\d-]+)+$/
/** The path below which an API is simulated; empty for its root. */
export const HOST_PATH = /^(?:\/[\w.-]+)*$/

/** Host names of an API: a list, or a map to the paths below which they are simulated. The first is that of links. */
export type Hosts = readonly string[] | Readonly<Record<string, string>>

export const areHosts = (given: unknown): given is Hosts => {
  if (typeof given !== 'object' || given === null) return false
  const paths = Object.entries(Array.isArray(given) ? Object.fromEntries(given.map((name) => [name, ''])) : given)
  return paths.length > 0 && paths.every(([name, path]) => HOST_NAME.test(name) && HOST_PATH.test(String(path)))
}

/** Host names with their paths. */
export const toHostPaths = (given: Hosts): Readonly<Record<string, string>> =>
  Array.isArray(given) ? Object.fromEntries(given.map((name: string) => [name, ''])) : (given as Record<string, string>)
