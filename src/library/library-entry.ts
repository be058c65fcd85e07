import type { NewBehaviourRule } from '../protocol/behaviour.ts'
import type { Conduct, ErrorRow, MagicRow } from '../protocol/conduct.ts'
import type { NewWebhookDialect } from '../protocol/dialect/dialect.ts'
import type { NewWebhookScheme } from '../protocol/dialect/scheme.ts'
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
  /** The version of the API that the entry follows, as the SDK sends it. */
  apiVersion?: string
  /** The SDK that the entry is for: its name in npm, and which of its versions. */
  sdk?: { npm: string; range: string }
  /** The line of code that points the SDK at a simulation, for people to read. */
  connect?: string
  /** The simulation's key is also taken with this, or one of these, in front: `sk_test_`. */
  keyPrefix?: string | string[]
  /** What the entry does not do, for people to read. */
  missing?: string[]
  /** How the API speaks webhooks. Without it, they are as the specification has them. */
  webhooks?: EntryWebhooks
  /** What operations do beyond making, reading, changing and deleting. */
  effects?: NonNullable<Conduct['effects']>
  /** Inputs with a fixed outcome. */
  magic?: MagicRow[]
  /** The provider's body of errors. */
  errors?: ErrorRow[]
  /** Records that are always there, by collection name. */
  seed?: Record<string, JsonObject[]>
}

/** How an entry speaks webhooks: `scheme` is the name of a preset, which gives what is left out, or a scheme as data. */
export type EntryWebhooks = Omit<NewWebhookDialect, 'scheme'> & { scheme: string | NewWebhookScheme }
