import { snakeCase } from '../../names/words.ts'
import { fraction, hashText, mixPair } from '../../runtime/random.ts'
import { type Cell, drawAt, type Frame } from './cell.ts'
import type { Site } from './site.ts'

const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The event of a record at a time. */
type MomentRole = 'created' | 'updated' | 'begun' | 'past' | 'finished' | 'undone' | 'confirmed' | 'future' | 'birth'

/** Prefixes of words in a name, by role; the first matching role applies. */
const STEMS: readonly (readonly [stems: string, role: MomentRole])[] = [
  ['birth dob born', 'birth'],
  [
    'due expir next schedul renew deadline until end ends ending estimated planned expected target eta rotat valid_to not_after trial_end period_end send_at publish_at deliver_at',
    'future',
  ],
  [
    'cancel delet archiv revok suspend reject void refund fail disabl deactivat trash block bann dismiss declin lock snooz pause bounc disput unsubscrib terminat remov error uninstall',
    'undone',
  ],
  [
    'clos complet finish resolv ended merged paid deliver ship fulfil process settl captur execut done answered redeem return arriv depart dispatch collect solv',
    'finished',
  ],
  ['verif confirm approv accept activat read seen acknowledg opened_at clicked publish releas sent', 'confirmed'],
  ['updat modif chang edit touch refresh sync last latest recent mtime', 'updated'],
  [
    'creat insert regist join signed signup added ctime opened since issu placed submit posted invit order invoice',
    'created',
  ],
  ['start begin begun effective from activ occur happen receiv request queue', 'begun'],
]
const ROLES = STEMS.map(([stems, role]) => ({ stems: stems.split(' '), role }))
/** Words with the prefix of another one. */
const NOT_ENDS = /^end(?:point|user|orse)/

/** The role of a time, by its field's name in snake case. */
export function momentRole(snakeName: string): MomentRole {
  const words = snakeName.split('_')
  for (const { stems, role } of ROLES) {
    for (const stem of stems) if (hasStem(snakeName, words, stem)) return role
  }
  return 'past'
}

function hasStem(name: string, words: readonly string[], stem: string): boolean {
  if (stem.includes('_')) return name.includes(stem)
  if (stem.length <= 3) return words.includes(stem)
  return words.some((word) => word.startsWith(stem) && !NOT_ENDS.test(word))
}

/** Time of the last change: between creation and now, more often early than late. */
function updatedAt(frame: Frame): number {
  if (frame.isNew) return frame.createdAt
  const share = fraction(mixPair(frame.index, 0x7570))
  return floorToSecond(frame.createdAt + (frame.now - frame.createdAt) * share * share * 0.96)
}

/** A time for `role`, in milliseconds since the Unix epoch. `draw` differs for fields of the same role. */
function momentAt(role: MomentRole, frame: Frame, draw: number): number {
  const { createdAt } = frame
  const share = fraction(draw)
  const updated = updatedAt(frame)
  if (role === 'created') return createdAt
  if (role === 'updated') return updated
  if (role === 'birth') return floorToSecond(-15 * 365 * DAY_MS + share * 50 * 365 * DAY_MS)
  if (role === 'future') {
    const from = frame.age < 0.5 ? frame.now : createdAt
    return floorToSecond(from + (2 + share * 58) * DAY_MS)
  }
  if (role === 'begun' || role === 'confirmed')
    return floorToSecond(createdAt + Math.min(updated - createdAt, share * 2 * DAY_MS))
  return floorToSecond(createdAt + (updated - createdAt) * (0.2 + share * 0.8))
}

export function floorToSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}

/** Stages of a record, in this order: delivery comes after shipping. */
const STAGES: readonly (readonly string[])[] = [
  ['paid', 'captur', 'settl'],
  ['process', 'fulfil'],
  ['ship', 'depart', 'dispatch'],
  ['deliver', 'arriv'],
  ['complet', 'finish', 'resolv', 'done', 'merg'],
  ['clos'],
  ['return', 'redeem'],
]

/** `draw` mapped to the part of the time of one of `count` stages. */
function drawInStage(stage: number, count: number, draw: number): number {
  return Math.floor((stage * 4_294_967_296 + draw) / count)
}

/** Words of the first and the last time of a planned span. */
const SPANS: readonly (readonly [begin: string, end: string])[] = [
  ['start', 'end'],
  ['starts', 'ends'],
  ['start', 'finish'],
  ['begin', 'end'],
  ['begins', 'ends'],
  ['arrival', 'departure'],
  ['arrives', 'departs'],
  ['in', 'out'],
  ['checkin', 'checkout'],
  ['pickup', 'return'],
  ['pickup', 'dropoff'],
  ['from', 'to'],
  ['from', 'until'],
  ['opens', 'closes'],
]
/** Spans that begin with their record or go on now. */
const RUNNING = /period|trial|billing|valid|current|term|subscription|access|log|window|ed_(?:in|out)/

/** The sibling at the other end of a field's span, `[snake, written]`: what is declared first begins. Undefined without one. */
export function partnerOf(
  { snake, siblings, schema }: Site,
  at: 'begin' | 'end',
): readonly [string, string] | undefined {
  const words = snake.split('_')
  if (RUNNING.test(snake) || !words.some((word) => IN_SPAN.has(word)) || schema.format === 'time') return undefined
  const names = [...siblings.keys()]
  for (const pair of SPANS) {
    for (const [own, other] of [pair, pair.toReversed() as [string, string]]) {
      const place = words.indexOf(own)
      const partner = words.with(place, other).join('_')
      const written = place < 0 ? undefined : siblings.get(partner)
      if (written === undefined || partner === snake) continue
      const isFirst = names.indexOf(snake) < names.indexOf(partner)
      const isPlanned = /^(arriv|depart)/.test(own)
        ? isFirst === (at === 'begin')
        : (own === pair[0]) === (at === 'begin')
      return isPlanned ? [partner, written] : undefined
    }
  }
  return undefined
}

const IN_SPAN: ReadonlySet<string> = new Set(SPANS.flat())

const isDay = ({ snake, schema }: Site): boolean =>
  schema.format === 'date' || (schema.format === undefined && /date|_on$/.test(snake))

/** The time in a field. The due date of an overdue record is before now. */
export function momentReader(site: Site): (cell: Cell) => number {
  const { snake, key, surroundings } = site
  const role = momentRole(snake)
  const begin = partnerOf(site, 'end')
  if (begin !== undefined) {
    const from = momentReader({ ...site, snake: begin[0], key: hashText(begin[1]) })
    const unit = isDay(site) ? DAY_MS : HOUR_MS
    return (cell) => {
      const sent = cell.given?.[begin[1]]
      const start = typeof sent === 'string' ? Date.parse(sent) : Number.NaN
      return (Number.isNaN(start) ? from(cell) : start) + unit * (1 + (drawAt(cell, key) % 5))
    }
  }
  // What has a planned end may lie ahead.
  if (partnerOf(site, 'begin') !== undefined)
    return (cell) => floorToSecond(cell.frame.createdAt + fraction(drawAt(cell, key)) * 40 * DAY_MS)
  const { status, statuses } = surroundings
  // `picked_up_at` of the status `picked_up`: statuses stand in the order of a record's life.
  const reached = statuses.findIndex((one) => snake.replace(/_(at|on|date|time)$/, '') === snakeCase(String(one)))
  if (reached >= 0)
    return (cell) => momentAt('past', cell.frame, drawInStage(reached, statuses.length, drawAt(cell, key)))
  const stage = STAGES.findIndex((parts) => parts.some((part) => snake.includes(part)))
  if (role === 'finished' && stage >= 0)
    return (cell) => momentAt(role, cell.frame, drawInStage(stage, STAGES.length, drawAt(cell, key)))
  if (role !== 'future' || !status) return (cell) => momentAt(role, cell.frame, drawAt(cell, key))
  return (cell) => {
    const isOver = !cell.frame.isNew && /overdue|past_?due|expired|late$/i.test(String(status(cell)))
    return momentAt(isOver ? 'past' : role, cell.frame, drawAt(cell, key))
  }
}
