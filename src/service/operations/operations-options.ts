import type { JsonLog, LogLevel } from './json-log.ts'

/** The operator's options. */
export interface OperationsOptions {
  /** Port of `/healthz`, `/readyz` and `/metrics`; 0 for any free one. Undefined for none. */
  readonly port: number | undefined
  readonly host: string
  readonly log: LogLevel
  /** Takes each line of the log. */
  readonly write: (line: string) => void
}

/** The operations of a service for a command. Its type names no optional package. */
export interface OperationsView {
  /** Address of the port for operators, as a URL. */
  readonly url: string | undefined
  readonly log: JsonLog
}
