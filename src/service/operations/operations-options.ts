import type { JsonLog, LogLevel } from './json-log.ts'

/** What whoever hosts a service asks for. */
export interface OperationsOptions {
  /** Port of `/healthz`, `/readyz` and `/metrics`; 0 for any free one. Undefined for none. */
  readonly port: number | undefined
  readonly host: string
  readonly log: LogLevel
  /** Takes each line of the log. */
  readonly write: (line: string) => void
}

/** What a command sees of the operations of its service. Its type names no package that need not be installed. */
export interface OperationsView {
  /** Address of the port for operators, as a URL. */
  readonly url: string | undefined
  readonly log: JsonLog
}
