/** What the page of a report shows: a test that failed, and what the management API answered of its simulation. */
export interface ReportPage {
  /** Titles of the test. */
  title: string
  /** The error of the test; empty where there was none. */
  message: string
  /** What the report says in a few lines. */
  summary: string
  slug: string
  /** By path below the simulation, without the query but for `?detail=true`. */
  answers: ReportAnswers
}

/** Answers of `GET` calls, by their paths below the simulation. */
export type ReportAnswers = Readonly<Record<string, unknown>>
