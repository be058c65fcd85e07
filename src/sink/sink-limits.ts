/** What a sink allows a sender. Tests pass smaller ones. */
export interface SinkLimits {
  /** From connecting to the end of the TLS handshake. */
  handshakeTimeoutMs: number
  /** From the first byte of a request to the end of its headers. */
  headersTimeoutMs: number
  /** From the first byte of a request to its last. */
  requestTimeoutMs: number
  /** How often the two above are looked at. */
  connectionsCheckingIntervalMs: number
  keepAliveTimeoutMs: number
  headerBytes: number
  bodyBytes: number
  sockets: number
  /** How long a request waits for the secret of its path: the first event may overtake the registration's answer. */
  secretHoldMs: number
}

export const SINK_LIMITS: SinkLimits = {
  handshakeTimeoutMs: 5_000,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 15_000,
  connectionsCheckingIntervalMs: 500,
  keepAliveTimeoutMs: 5_000,
  headerBytes: 16 * 1024,
  bodyBytes: 5 * 1024 * 1024,
  sockets: 256,
  secretHoldMs: 5_000,
}
