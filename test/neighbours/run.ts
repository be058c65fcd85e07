import { parseArgs } from 'node:util'
import { delayOthers } from './delay-others.ts'
import { HEAVY_WORKS } from './heavy-works.ts'
import { peakOfUnreadChanges } from './never-read.ts'
import { RunningService } from './running-service.ts'

/*
 * `npm run neighbours [-- <words>]`: what the heaviest works of one simulation cost another one, a service for each. `turn` is
 * processor time in one piece; `wait` is what a client of the other simulation saw. At the end the memory that a client costs `backlot serve`
 * which follows changes and reads none. Ends with a line of figures, and with 1 where a turn is over 100 ms, or the memory over 64 MB.
 */
const MOST_TURN_MS = 100
const MOST_UNREAD_MB = 64
const SIZES = { records: 1_000_000, bodyBytes: 9_900_000, bulk: 10_000, hours: 720, shapeShare: 1 }
const SMALL = { records: 20_000, bodyBytes: 1_000_000, bulk: 1_000, hours: 24, shapeShare: 0.1 }
const { values, positionals } = parseArgs({
  options: { small: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const sizes = values.small ? SMALL : SIZES
let works = 0
let missed = 0
let longestTurnMs = 0
for (const [name, heavy] of Object.entries(HEAVY_WORKS)) {
  if (positionals.length > 0 && !positionals.some((word) => name.includes(word))) continue
  await using service = await RunningService.start()
  const { turnMs, waitMs, workMs, pings, failed } = await delayOthers(service, heavy, sizes)
  const isFast = turnMs <= MOST_TURN_MS && failed.length === 0
  works++
  if (!isFast) missed++
  longestTurnMs = Math.max(longestTurnMs, turnMs)
  const figures = `turn ${turnMs.toFixed(0)} ms, wait ${waitMs.toFixed(0)} ms, work ${workMs.toFixed(0)} ms, ${pings} answers`
  process.stdout.write(
    `${isFast ? 'kept  ' : 'MISSED'} ${name}: ${figures}${failed.length > 0 ? `, failed ${failed}` : ''}\n`,
  )
}
const UNREAD = '600 changes of 1 MB that a client never reads'
if (positionals.length === 0 || positionals.some((word) => UNREAD.includes(word))) {
  const changes = values.small ? 100 : 600
  const unwatchedMb = await peakOfUnreadChanges(changes, { isWatched: false })
  const peakMb = await peakOfUnreadChanges(changes)
  const isSmall = !(peakMb - unwatchedMb > MOST_UNREAD_MB)
  works++
  if (!isSmall) missed++
  process.stdout.write(
    `${isSmall ? 'kept  ' : 'MISSED'} ${UNREAD}: ${peakMb.toFixed(0)} MB, ${unwatchedMb.toFixed(0)} MB without that client\n`,
  )
}
process.stdout.write(`${works} works, ${missed} missed; longest turn ${longestTurnMs.toFixed(0)} ms\n`)
process.exitCode = missed === 0 ? 0 : 1
