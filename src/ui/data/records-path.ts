import { simulationPath } from './service.ts'

/** Records shown at once, before the rest is read. */
export const FIRST_RECORDS = 60

/** Path of some records of a collection, below `/v1`. */
export const recordsPath = (slug: string, name: string, range: string): string =>
  simulationPath(slug, `/records/${encodeURIComponent(name)}?${range}`)
