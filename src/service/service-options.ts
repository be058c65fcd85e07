import type { LibraryEntry } from '../library/library-entry.ts'
import type { ManagementAnswer, ManagementRequest } from '../protocol/management-exchange.ts'
import type { CreatedSimulation } from '../protocol/simulation.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { AccountOptions } from './account/account.ts'
import type { LanguageModel } from './instructions/adviser.ts'
import type { OperationsView } from './operations/operations-options.ts'
import type { ResponderFunction, ResponderScope } from './simulation/core/responders.ts'
import type { StoreOptions } from './store/store-options.ts'
import type { SinkAddress } from './webhooks/reachable-addresses.ts'

/** How a service is started. Everything has a default. */
export interface ServiceOptions {
  /** Address to bind. @default '127.0.0.1' */
  host?: string | undefined
  /** Port of the management API; 0 for any free one. @default 0 */
  port?: number | undefined
  /** Whether addresses are https, with a certificate of our own. Ports answer http and TLS either way. @default false */
  https?: boolean | undefined
  /** With `addresses: 'path'`: simulations answer at `<slug>.<domain>` too, and that is the `url` they show. */
  domain?: string | undefined
  /** `port`: each simulation has an origin of its own. `path`: `/s/<slug>` below the service. @default 'port' */
  addresses?: 'port' | 'path' | undefined
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-*` headers count. @default [] */
  trustProxy?: string[] | undefined
  /**
   * Bodies of requests that are held at a time, over all connections, in bytes. A request past it is answered 503 with
   * `Retry-After`. @default 64 MB
   */
  maxBufferedBytes?: number | undefined
  /**
   * Origins of pages that may call simulated APIs with credentials (cookies), beside pages of this machine. Pages of other
   * origins may call without. @default []
   */
  corsOrigins?: string[] | undefined
  /**
   * What keeps simulations over restarts and crashes, with `addresses: 'path'`: a SQLite file, which is made where there is none, or
   * `postgres://...`, which several nodes may share (needs the package `pg`). Without it they are in memory and end with the service.
   */
  store?: string | undefined
  /**
   * Secrets of at least 32 characters that encrypt what the store holds of simulations: the first seals, all open, so that a new one is put
   * before the old. @default none: it is kept in clear
   */
  storeSecrets?: string[] | undefined
  /** How the store is kept and asked. Everything has a default. */
  storeOptions?: StoreOptions | undefined
  /** Who may call the management API. @default one account without limits */
  accounts?: AccountOptions[] | undefined
  /**
   * Private addresses and CIDR ranges that webhooks may reach, over https or plain http: sinks of test runs on this machine
   * (`127.0.0.1/32`), Docker networks (`172.16.0.0/12`). Link-local and metadata addresses stay closed. @default []
   */
  allowPrivateWebhooks?: string[] | undefined
  /**
   * Whether an account key may register sinks on loopback that deliveries may reach. @default whether
   * `allowPrivateWebhooks` holds 127.0.0.1
   */
  workerSinks?: boolean | undefined
  /** Whether open ports keep the process alive. @default true */
  holdsProcess?: boolean | undefined
  /** Library entries in addition to the built-in ones, and folders that hold one each (`openapi.json|yaml`, `entry.json|yaml`). */
  library?: (string | LibraryEntry)[] | undefined
  /** Simulations that exist from the start, in the first account. */
  simulations?: StartSimulation[] | undefined
  /**
   * Language model that reads `instructions`: what a provider of the `ai` package gives (version 6 or later), or a model id
   * of its gateway. @default none: instructions are kept and shape nothing
   */
  model?: LanguageModel | undefined
  /** Replacements for clock, sleep, uuid, secret and resolve, for tests. @default those of the system */
  runtime?: Partial<Runtime> | undefined
}

/** A simulation that a service is started with, so that suites can adopt it by its slug. */
export interface StartSimulation {
  /** Slug of the library entry. One of `library` and `spec`. */
  library?: string | undefined
  /** An OpenAPI description, as text. */
  spec?: string | undefined
  /** With `spec`: slug of the library entry that is laid over it. */
  entry?: string | undefined
  /** @default one made from the entry's slug, or the description's title */
  slug?: string | undefined
  /** Its first key: `svc_sim_` and 8 to 200 letters, digits, `_` and `-`. @default one that is issued */
  key?: string | undefined
}

/** A simulation that a service was started with. */
export interface StartedSimulation extends CreatedSimulation {
  /** Path below `url` of a list or another read that needs no id; absent where the description has none. */
  firstPath?: string
}

/** A running simulation service. */
export interface Service extends AsyncDisposable {
  /** Base URL of the management API, without `/v1`. */
  readonly url: string
  /** Key of the first account. */
  readonly accountKey: string
  /** PEM of the authority to trust, when the service was started with `https`. */
  readonly ca: string | undefined
  /** The simulations of the option `simulations`, with their keys. */
  readonly simulations: readonly StartedSimulation[]
  /**
   * Address of the dashboard, for a browser: with a code that signs in to the first account once, within ten minutes.
   */
  dashboardUrl(): string
  /** The management API without a socket. The address of the client counts as 127.0.0.1. Rejects once the service is closed. */
  fetch(request: Request): Promise<Response>
  /** {@link fetch} with plain values, as a `ManagementClient` takes it for its `transport`. */
  exchange(request: ManagementRequest): Promise<ManagementAnswer>
  /** Lets deliveries reach a sink on loopback until the returned function is called. In this process only. */
  exemptSink(sink: SinkAddress): () => void
  /**
   * Lets a function answer requests to a simulation of the first account. In this process only. `warning`: why no operation
   * can meet the scope.
   */
  respondWith(
    simulationId: string,
    scope: ResponderScope,
    answer: ResponderFunction,
  ): { id: string; warning: string | undefined; remove: () => void }
  /** Ends every simulation and frees every port, socket and timer. What a store keeps stays there. */
  close(): Promise<void>
}

/** A service as `backlot serve` has it. */
export interface OperatedService extends Service {
  readonly operations: OperationsView | undefined
  /**
   * Says that requests should go elsewhere; takes no more connections after `delayMs`, and waits for answers that are under way,
   * `mostMs` at most. Close the service then.
   */
  drain(wait: { delayMs: number; mostMs: number }): Promise<void>
}
