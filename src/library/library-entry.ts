import type { BehaviourPlan, NewBehaviourRule } from '../protocol/behaviour.ts'
import type { EntryRows, ErrorRow, IgnoredRow } from '../protocol/entry-rows.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { ModelFile } from '../protocol/model-file.ts'
import type { LibraryEntrySummary } from '../protocol/reads.ts'
import type { SignInFile } from '../protocol/sign-in.ts'
import type { NewWebhookScheme } from '../protocol/webhook-scheme/scheme.ts'
import type { NewWebhookFormat, WebhookFormat } from '../protocol/webhook-scheme/webhook-format.ts'
import type { ModelDocument } from '../service/openapi/model-document.ts'

/** A prebuilt API: a description, the plan of its changes over time, and the size of its data. */
export interface LibraryEntry {
  /** The value of `library` in a creation. */
  slug: string
  name: string
  provider: string
  /** Category label, filterable in `GET /v1/library`. */
  vertical: string
  description: string
  /** OpenAPI description of the API. */
  openapi: JsonObject
  /** The initial plan of a simulation; when empty, one is derived from the description. */
  behaviour: NewBehaviourRule[]
  /** Records to generate, by collection name. */
  volume: Record<string, number>
  /** The API version of the entry, as the SDK sends it. */
  apiVersion?: string
  /** The supported SDK: its name in npm, its versions, and headers that its methods take for any request. */
  sdk?: { npm: string; range: string; headers?: string[] }
  /** The line of code that connects the SDK to a simulation, for people to read. */
  connect?: string
  /** Prefix, or prefixes, with which the simulation's key is also accepted: `sk_test_`. */
  keyPrefix?: string | string[]
  /** Host names that the provider's SDKs call, the main one first; in a map with the path below which each is simulated. */
  hosts?: readonly string[] | Readonly<Record<string, string>>
  /** Variables that its guides name, with `{key}` and `{url}` in their values. */
  env?: Readonly<Record<string, string>>
  /** Limits of the entry, for people to read. */
  missing?: string[]
  /** Parameters and body fields that do nothing. A request with one gets a warning. */
  ignored?: IgnoredRow[]
  /** What its operations do, where inference is wrong or unsure. */
  model?: ModelFile
  /** How its users sign in. */
  signIn?: SignInFile
  /** The API's webhooks. @default those of the specification */
  webhooks?: EntryWebhooks
  /** Settings for all requests and answers, and facts of operations. */
  effects?: NonNullable<EntryRows['effects']>
  /** The provider's bodies of errors. */
  errors?: ErrorRow[]
  /** Address of its handlers: a file URL; of a built-in entry `library:<slug>`. */
  handlers?: string
  /** Seed records, which are always there, by collection name. */
  seed?: Record<string, JsonObject[]>
}

/** What the files of a folder say, or a creation: each field may be absent. */
export type GivenEntry = Partial<LibraryEntry>

/** An entry that is laid over a description, and may have none of its own. */
export type LaidEntry = Omit<LibraryEntry, 'openapi'> & GivenEntry

/** An entry as the built package has it. */
export interface BuiltInEntry extends LibraryEntry {
  /** What the build computed and checked, so that no process does it again. Absent in the repository. */
  compiled?: {
    /** The model of its description. */
    model: ModelDocument
    /** Its webhooks, with the fields of their preset. */
    format?: WebhookFormat
    plan: BehaviourPlan
  }
}

/** An entry's webhooks: `scheme` is a scheme as data, or the name of a preset, which also gives the omitted fields. */
export type EntryWebhooks = Omit<NewWebhookFormat, 'scheme'> & { scheme: string | NewWebhookScheme }

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

/** An entry as a list shows it. */
export function summariseEntry(entry: LibraryEntry): LibraryEntrySummary {
  const { slug, name, provider, vertical, description, openapi } = entry
  const items = isJsonObject(openapi.paths) ? Object.values(openapi.paths).filter(isJsonObject) : []
  const operations = items.flatMap((item) => Object.keys(item).filter((key) => METHODS.has(key))).length
  return { slug, name, provider, vertical, description, operations }
}
