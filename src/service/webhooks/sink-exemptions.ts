import { isSameAddress } from './address.ts'

/**
 * A sink of this run on loopback: the only address inside the machine that a webhook may reach, and only with this
 * authority.
 */
export interface SinkAddress {
  ip: string
  port: number
  /** PEM of the authority that its certificate is pinned to; a promise, or a function that is called when the sink is first used. */
  ca: string | Promise<string> | (() => Promise<string>)
}

/** The live sinks of this run. An exemption is for one exact address and port, and ends with its sink. */
export class SinkExemptions {
  readonly #sinks = new Set<SinkAddress>()

  /** Exempts a sink until the returned function is called. */
  add(sink: SinkAddress): () => void {
    const entry = { ...sink }
    this.#sinks.add(entry)
    return () => {
      this.#sinks.delete(entry)
    }
  }

  /** The sink at exactly this address and port. Names are never looked up for it. */
  find(ip: string, port: number): SinkAddress | undefined {
    for (const sink of this.#sinks) if (sink.port === port && isSameAddress(sink.ip, ip)) return sink
    return undefined
  }
}
