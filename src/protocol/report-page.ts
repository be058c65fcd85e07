/** Data for the page of a report: a failed test, and the management API's answers about its simulation. */
export interface ReportPage {
  /** Titles of the test. */
  title: string
  /** The error of the test; empty where there was none. */
  message: string
  /** The report in a few lines. */
  summary: string
  slug: string
  /** Clock turns by the test, in order. */
  turns: readonly ReportedTurn[]
  /** Webhooks and refused requests at the test's sink, in order. */
  receipts: readonly SinkReceipt[]
  /** By path below the simulation, without the query except `?detail=true`. */
  answers: ReportAnswers
}

/** A clock turn by a test. */
export interface ReportedTurn {
  /** Real time, milliseconds. */
  readonly at: number
  readonly tookMs: number
  readonly hours: number
  readonly changes: number
}

/** A webhook that a test's sink received, or a request that it refused. */
export interface SinkReceipt {
  /** Real time, milliseconds. */
  readonly at: number
  /** Kind of the event, or the reason of the refusal. */
  readonly name: string
  readonly eventId: string | null
  readonly recordId: string | null
  /** Requests of this delivery. */
  readonly attempts: number
  /** Status of the sink's answer. */
  readonly status: number | null
  /** Why the sink refused it. */
  readonly refusal: string | null
}

/** Answers of `GET` calls, by their paths below the simulation. */
export type ReportAnswers = Readonly<Record<string, unknown>>
