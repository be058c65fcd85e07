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
  /** The plan that a simulation of this entry starts with; when empty, one is derived from the description. */
  behaviour: NewBehaviourRule[]
  /** Records to generate, by collection name. */
  volume: Record<string, number>
}
