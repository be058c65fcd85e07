import type { LibraryEntry } from '../library/library-entry.ts'
import type { CallEndpoint } from '../protocol/endpoint-call.ts'
import type { OperationContext } from '../protocol/handler.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { ManagementAnswer, ManagementRequest } from '../protocol/management-exchange.ts'
import type { Prompt, ReplyContent } from '../protocol/reply.ts'
import type { ResponseRule } from '../protocol/response-rule.ts'
import type { CreatedSimulation } from '../protocol/simulation.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { AccountOptions } from './account/account-options.ts'
import type { LanguageModel } from './instructions/adviser.ts'
import type { OperationsView } from './operations/operations-options.ts'
import type { StoreOptions } from './store/store-options.ts'
import type { SinkAddress } from './webhooks/reachable-addresses.ts'

/** Options of a service. All have defaults. */
export interface ServiceOptions {
  /** Address to bind. @default '127.0.0.1' */
  host?: string | undefined
  /** Port of the management API; 0 for any free one. @default 0 */
  port?: number | undefined
  /** Whether addresses are https, with our own certificate. Ports always answer http and TLS. @default false */
  https?: boolean | undefined
  /** With `addresses: 'path'`: simulations also answer at `<slug>.<domain>`, and this is their `url`. */
  domain?: string | undefined
  /** `port`: each simulation has its own origin. `path`: `/s/<slug>` below the service. @default 'port' */
  addresses?: 'port' | 'path' | undefined
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-*` headers count. @default [] */
  trustProxy?: string[] | undefined
  /**
   * Most bytes of request bodies buffered at a time, over all connections. Requests beyond it are answered 503 with
   * `Retry-After`. @default 64 MB
   */
  maxBufferedBytes?: number | undefined
  /**
   * Origins of pages that may call simulated APIs with credentials (cookies), besides pages of this machine. Others may
   * call without. @default []
   */
  corsOrigins?: string[] | undefined
  /**
   * Keeps simulations over restarts and crashes, with `addresses: 'path'`: a SQLite file, created if missing, or
   * `postgres://...`, which several nodes may share (needs the package `pg`). @default none: simulations are in memory
   * and end with the service
   */
  store?: string | undefined
  /**
   * Secrets of at least 32 characters that encrypt a store's contents of simulations: the first encrypts, all decrypt,
   * so put a new one first. @default none: contents are in clear
   */
  storeSecrets?: string[] | undefined
  /** Options of the store. All have defaults. */
  storeOptions?: StoreOptions | undefined
  /** Accounts for the management API. @default one account without limits */
  accounts?: AccountOptions[] | undefined
  /**
   * Private addresses and CIDR ranges that webhooks may reach, over https or plain http: sinks of test runs on this machine
   * (`127.0.0.1/32`), Docker networks (`172.16.0.0/12`). Link-local and metadata addresses stay closed. @default []
   */
  allowPrivateWebhooks?: string[] | undefined
  /**
   * Whether an account key may register sinks on loopback for deliveries. @default whether `allowPrivateWebhooks`
   * includes 127.0.0.1
   */
  workerSinks?: boolean | undefined
  /**
   * Whether simulations show pages to browsers, such as of a sign-in or a checkout; an account's own `pages` goes first. @default
   * whether only this machine reaches the service: `host` and `domain` are of loopback, and `trustProxy` is empty
   */
  pages?: boolean | undefined
  /** Whether creations may name a file with handlers, which this process imports: their callers may run code in it. @default false */
  handlerFiles?: boolean | undefined
  /** Whether open ports keep the process alive. @default true */
  holdsProcess?: boolean | undefined
  /** Library entries in addition to the built-in ones, as objects or folders (`openapi.json|yaml`, `entry.json|yaml`). */
  library?: (string | LibraryEntry)[] | undefined
  /** Initial simulations, in the first account. */
  simulations?: StartSimulation[] | undefined
  /**
   * Language model for `instructions`: the result of a provider of the `ai` package (version 6 or later), or a model id
   * of its gateway. @default none: instructions are kept without effect
   */
  model?: LanguageModel | undefined
  /** Replacements for clock, sleep, uuid, secret and resolve, for tests. @default the system's */
  runtime?: Partial<Runtime> | undefined
}

/** An initial simulation of a service, which suites can adopt by its slug. */
export interface StartSimulation {
  /** Slug of the library entry. One of `library` and `spec`. */
  library?: string | undefined
  /** An OpenAPI description, as text. */
  spec?: string | undefined
  /** With `spec`: the library entry that extends it, by its slug or as an object with its fields. */
  entry?: string | JsonObject | undefined
  /** Address of a module with handlers: a file URL. */
  handlers?: string | undefined
  /** @default derived from the entry's slug, or the description's title */
  slug?: string | undefined
  /**
   * Its first key: `svc_sim_` and 8 to 200 letters, digits, `_` and `-`; or `backlot`, which everybody knows.
   * @default a new one
   */
  key?: string | undefined
  /** Its port, with `addresses: 'port'`. @default any free one */
  port?: number | undefined
  /** Seed of the generated data. @default a constant */
  seed?: string | undefined
  /** World time at the beginning, ISO 8601. @default the time of creation */
  epoch?: string | undefined
}

/** A running simulation service. */
export interface Service extends AsyncDisposable {
  /** Base URL of the management API, without `/v1`. */
  readonly url: string
  /** Key of the first account. */
  readonly accountKey: string
  /** PEM of the authority to trust, with the option `https`. */
  readonly ca: string | undefined
  /** The initial simulations, with their keys. */
  readonly simulations: readonly CreatedSimulation[]
  /** Address of the dashboard for a browser, with a code for one sign-in to the first account within ten minutes. */
  dashboardUrl(): string
  /** The management API without a socket. The client's address counts as 127.0.0.1. Rejects after the service is closed. */
  fetch(request: Request): Promise<Response>
  /** {@link fetch} with plain values, for the `transport` of a `ManagementClient`. */
  exchange(request: ManagementRequest): Promise<ManagementAnswer>
  /** Allows deliveries to a sink on loopback until the returned function is called. Only in this process. */
  exemptSink(sink: SinkAddress): () => void
  /** Keeps handlers for one creation, whose `handlers` is the returned address. Only in this process. */
  offerHandlers(handlers: object): string
  /**
   * Lets a handler answer requests to a simulation of the first account. Only in this process. `warning`: why no
   * operation can match the scope.
   */
  respondWith(
    simulationId: string,
    scope: Pick<ResponseRule, 'method' | 'pathPattern' | 'operation' | 'when'> & { readonly name: string },
    handler: (context: OperationContext) => unknown,
  ): { id: string; warning: string | undefined; remove: () => void }
  /** Lets a function answer prompts to a simulation of the first account, until the returned function is called. Only in this process. */
  answerPrompts(simulationId: string, answer: (prompt: Prompt) => ReplyContent | undefined): () => void
  /** Ends every simulation and frees every port, socket and timer. Stored simulations stay in the store. */
  close(): Promise<void>
}

/** A service for `backlot serve` and for the fixture. */
export interface OperatedService extends Service {
  /** Calls an endpoint with values, as the first account. Rejects after the service is closed. */
  readonly call: CallEndpoint
  readonly operations: OperationsView | undefined
  /** How many requests to simulations of the first account were answered with a warning. */
  warnedRequests(): number
  /**
   * Reports that requests should go elsewhere; accepts no more connections after `delayMs`, and waits at most `mostMs`
   * for answers in progress. Close the service afterwards.
   */
  drain(wait: { delayMs: number; mostMs: number }): Promise<void>
}
