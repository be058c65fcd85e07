/** What the page of a report shows: a test that failed, and what the management API answered of its simulation. */
export interface ReportPage {
  /** Titles of the test. */
  title: string
  /** The error of the test; empty where there was none. */
  message: string
  /** What the report says in a few lines. */
  summary: string
  slug: string
  /** Turns of the clock by the test, in order. */
  turns: readonly ReportedTurn[]
  /** What the test's sink has received and refused, in order. */
  receipts: readonly SinkReceipt[]
  /** By path below the simulation, without the query but for `?detail=true`. */
  answers: ReportAnswers
}

/** A turn of the clock by a test. */
export interface ReportedTurn {
  /** Real time, milliseconds. */
  readonly at: number
  readonly tookMs: number
  readonly hours: number
  readonly changes: number
}

/** A webhook as the sink of a test received it, or a request that it refused. */
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
  /** Why it was refused. */
  readonly refusal: string | null
}

/** Answers of `GET` calls, by their paths below the simulation. */
export type ReportAnswers = Readonly<Record<string, unknown>>
