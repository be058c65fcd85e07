import type { NewBehaviourRule } from '../protocol/behaviour.ts'
import type { JsonObject } from '../protocol/json.ts'

/** A prebuilt API: a description, the story that its data tells over time, and how much of it there is. */
export interface LibraryEntry {
  /** What `library` names when a simulation is created. */
  slug: string
  name: string
  provider: string
  /** Category label, filterable in `GET /v1/library`. */
  vertical: string
  description: string
  /** OpenAPI description of the API. */
  openapi: JsonObject
  /** The plan that a simulation of this entry starts with. */
  behaviour: NewBehaviourRule[]
  /** Records to generate, by collection name. */
  volume: Record<string, number>
}

/** One entry of `GET /v1/library` (specification, Library entry). */
export interface LibraryEntrySummary {
  slug: string
  name: string
  provider: string
  vertical: string
  description: string
  /** Number of operations in the described API. */
  operations: number
}
