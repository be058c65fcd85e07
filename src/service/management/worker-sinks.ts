import type { Account } from '../account/account.ts'
import type { ReachableAddresses, SinkAddress } from '../webhooks/reachable-addresses.ts'

/** Most sinks of one account at a time; the oldest is removed first. */
const MAX_SINKS = 256

/** Sinks registered by workers of a test run with `POST /v1/sinks`, by account. */
export class WorkerSinks {
  readonly #reachable: ReachableAddresses
  readonly #sinks = new Map<string, { account: Account; withdraw: () => void }>()

  constructor(reachable: ReachableAddresses) {
    this.#reachable = reachable
  }

  add(account: Account, id: string, sink: SinkAddress): void {
    const oldest = [...this.#sinks].filter(([, sink]) => sink.account === account)
    if (oldest.length >= MAX_SINKS) this.remove(account, (oldest[0] as [string, unknown])[0])
    this.#sinks.set(id, { account, withdraw: this.#reachable.add(sink) })
  }

  /** False for an unknown sink. */
  remove(account: Account, id: string): boolean {
    const sink = this.#sinks.get(id)
    if (sink?.account !== account) return false
    sink.withdraw()
    return this.#sinks.delete(id)
  }
}
