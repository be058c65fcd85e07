import type { ProbeReport } from './probe.ts'

/** Processor time of one answer in one piece, which nothing interrupts. */
const MOST_TURN_MS = 500
/** Processor time of one answer, in slices. */
const MOST_MS = 2_000
/** Memory of the process, beyond what it takes with a plain description. */
const MOST_MB = 250

/** What one description cost at most. */
export interface HostileFigures {
  readonly createMs: number
  readonly requestMs: number
  readonly turnMs: number
  readonly grownMb: number
}

const NONE: HostileFigures = { createMs: 0, requestMs: 0, turnMs: 0, grownMb: 0 }

/** The figures of a probe, as a line and as numbers, and what is wrong with them. A text is the failure of the probe. */
export function explainReport(report: ProbeReport | string): {
  readonly line: string
  readonly fault: string | undefined
  readonly figures: HostileFigures
} {
  if (typeof report === 'string') return { line: report, fault: report, figures: NONE }
  const { steps, grownMb } = report
  const [creation, ...requests] = steps
  const figures: HostileFigures = {
    createMs: creation?.ms ?? 0,
    requestMs: Math.max(0, ...requests.map(({ ms }) => ms)),
    turnMs: Math.max(...steps.map(({ turnMs }) => turnMs)),
    grownMb,
  }
  const bad = steps.filter(({ ms, turnMs, status }) => ms > MOST_MS || turnMs > MOST_TURN_MS || status >= 500)
  const faults = bad.map(({ step, ms, turnMs, status }) => `${step} ${ms} ms, turn ${turnMs} ms, status ${status}`)
  if (grownMb > MOST_MB) faults.push(`memory +${grownMb} MB`)
  const { createMs, requestMs, turnMs } = figures
  return {
    line: `creation ${createMs} ms (${creation?.status}), request ${requestMs} ms, turn ${turnMs} ms, memory +${grownMb} MB`,
    fault: faults.length === 0 ? undefined : faults.join('; '),
    figures,
  }
}
