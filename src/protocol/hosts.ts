import * as z from 'zod'

const host = z
  .string()
  .regex(/^(?=.{1,253}$)[a-z\d-]+(?:\.[a-z\d-]+)+$/, 'a host name in lower case, such as api.acme.test')
const path = z.string().regex(/^(?:\/[\w.-]+)*$/, "a path such as /files, or ''")

/** Host names of an API: a list, or a map to the paths below which they are simulated. The first is that of links. */
export const hosts = z.union([z.array(host).min(1).max(100), z.record(host, path)])
type Hosts = readonly string[] | Readonly<Record<string, string>>

/** Host names with their paths. */
export const toHostPaths = (given: Hosts): Readonly<Record<string, string>> =>
  Array.isArray(given) ? Object.fromEntries(given.map((name: string) => [name, ''])) : (given as Record<string, string>)
