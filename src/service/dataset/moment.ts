import { fraction, mixPair } from '../../runtime/random.ts'
import { type Cell, drawAt, type Frame } from './cell.ts'
import type { Site } from './site.ts'

export const MINUTE_MS = 60_000
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
    'clos complet finish resolv ended merged paid deliver ship fulfil process settl captur execut done answered redeem return arriv depart',
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
export function updatedAt(frame: Frame): number {
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
  ['ship', 'depart'],
  ['deliver', 'arriv'],
  ['complet', 'finish', 'resolv', 'done', 'merg'],
  ['clos'],
  ['return', 'redeem'],
]

/** `draw` mapped to the stage's part of the time. */
function drawInStage(stage: number, draw: number): number {
  return Math.floor((stage * 4_294_967_296 + draw) / STAGES.length)
}

/** The time in a field. The due date of an overdue record is before now. */
export function momentReader({ snake, key, surroundings }: Site): (cell: Cell) => number {
  const role = momentRole(snake)
  const { status } = surroundings
  const stage = STAGES.findIndex((parts) => parts.some((part) => snake.includes(part)))
  if (role === 'finished' && stage >= 0)
    return (cell) => momentAt(role, cell.frame, drawInStage(stage, drawAt(cell, key)))
  if (role !== 'future' || !status) return (cell) => momentAt(role, cell.frame, drawAt(cell, key))
  return (cell) => {
    const isOver = !cell.frame.isNew && /overdue|past_?due|expired|late$/i.test(String(status(cell)))
    return momentAt(isOver ? 'past' : role, cell.frame, drawAt(cell, key))
  }
}
