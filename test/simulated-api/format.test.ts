import { expect, it } from 'vitest'
import { toFormatTest } from '../../src/service/simulated-api/validation/format.ts'

it('takes no empty text for a moment, whatever it was asked before', () => {
  const isMoment = toFormatTest('date-time')

  const first = isMoment?.('')
  const moment = isMoment?.('2026-11-21T08:00:00Z')

  expect([first, moment, isMoment?.('')]).toEqual([false, true, false])
})
