import { mixPair } from '../../runtime/random.ts'
import { type Frame, fraction } from './cell.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** What a point in time has to do with its record, by the name of its field. */
export type MomentRole =
  | 'created'
  | 'updated'
  | 'begun'
  | 'past'
  | 'finished'
  | 'undone'
  | 'confirmed'
  | 'future'
  | 'birth'

/** Beginnings of the words of a name, by role; the first role that a word has wins. */
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
/** Words that begin like another one. */
const NOT_ENDS = /^end(?:point|user|orse)/

/** What a point in time tells, by the name of its field in snake case. */
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

/** When the record was last changed: between its creation and now, sooner more often than later. */
export function updatedAt(frame: Frame): number {
  if (frame.isNew) return frame.createdAt
  const share = fraction(mixPair(frame.index, 0x7570))
  return floorToSecond(frame.createdAt + (frame.now - frame.createdAt) * share * share * 0.96)
}

/** A point in time for `role`, in milliseconds since the Unix epoch. `draw` tells fields of the same role apart. */
export function momentAt(role: MomentRole, frame: Frame, draw: number): number {
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

/** The moment that was last written: a record that is made says it twice, and so do those after it. */
let lastMs = Number.NaN
let lastText = ''

/** `2026-03-01T10:22:11Z`. */
export function toIsoSeconds(ms: number): string {
  if (ms !== lastMs) {
    lastText = `${toDateText(ms)}T${toTimeText(ms)}Z`
    lastMs = ms
  }
  return lastText
}

/** `2026-03-01T10:22:11.000Z`. */
export function toIsoMillis(ms: number): string {
  return `${toDateText(ms)}T${toTimeText(ms)}.${String(modulo(ms, 1000)).padStart(3, '0')}Z`
}

/** `2026-03-01`. By the civil calendar, without the Date of the global object. */
export function toDateText(ms: number): string {
  const days = Math.floor(ms / DAY_MS) + 719_468
  const era = Math.floor(days / 146_097)
  const dayOfEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shifted = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1
  const month = shifted < 10 ? shifted + 3 : shifted - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
}

/** `10:22:11`. */
export function toTimeText(ms: number): string {
  const seconds = Math.floor(modulo(ms, DAY_MS) / 1000)
  return `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
