import type { ReportPage } from '../../protocol/report-page.ts'
import type { Row } from './rows.ts'

/**
 * Rows that only a report has: clock turns by its test, and webhooks at the test's sink. A row has its event's id, if
 * any, to link to the event's chain.
 *
 * @param offsetMs offset of world time from real time when the report was made
 */
export function reportRows({ turns, receipts }: ReportPage, offsetMs: number): Row[] {
  const offsets = offsetsAfter(turns, offsetMs)
  const worldAt = (realMs: number): string => {
    const turn = turns.findLastIndex(({ at, tookMs }) => at + tookMs <= realMs)
    return new Date(realMs + (turn === -1 ? offsets.before : (offsets.after[turn] ?? 0))).toISOString()
  }
  return [
    ...turns.map((turn, at): Row => {
      return { kind: 'turn', key: `turn turn-${at + 1}`, at: worldAt(turn.at + turn.tookMs), turn }
    }),
    ...receipts.map((receipt, at): Row => {
      const id = receipt.eventId ?? `refused-${at + 1}`
      return { kind: 'receipt', key: `receipt ${id} ${at}`, at: worldAt(receipt.at), receipt }
    }),
  ]
}

/** Offsets of world time from real time before all turns and after each, if only these have turned the clock. */
function offsetsAfter(turns: ReportPage['turns'], lastMs: number): { before: number; after: number[] } {
  const after: number[] = []
  let offset = lastMs
  for (const { hours } of turns.toReversed()) {
    after.unshift(offset)
    offset -= hours * 3_600_000
  }
  return { before: offset, after }
}
