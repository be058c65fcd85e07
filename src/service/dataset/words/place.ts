import { fraction, mixPair, pickBy } from '../../../runtime/random.ts'
import type { Cell } from '../cell.ts'
import type { Site } from '../site.ts'
import { CITIES, type City, STREET_KINDS, STREETS } from './places.ts'

/** The city of a subject; all parts of its address match it. */
export function cityOf(subject: number): City {
  return pickBy(CITIES, mixPair(subject, 0x6369))
}

/** One currency for all amounts of a record; another one for what it is exchanged into. */
export function currencyFor({ snake, key }: Site, { frame }: Cell): string {
  const isOther = /^(?:to|target|quote|counter|buy|foreign|destination)_/.test(snake)
  return cityOf(isOther ? mixPair(frame.subject, key) : frame.subject).country.currency
}

/** `14 Orchard Road`. */
export function streetAddress(subject: number): string {
  return `${houseNumber(subject)} ${streetName(subject)}`
}

export function streetName(subject: number): string {
  return `${pickBy(STREETS, mixPair(subject, 0x7374))} ${pickBy(STREET_KINDS, mixPair(subject, 0x736b))}`
}

export function houseNumber(subject: number): number {
  return 1 + (mixPair(subject, 0x686e) % 189)
}

/** `Suite 12`, `Floor 3` or `Apt 4`. */
export function unitOf(subject: number): string {
  const draw = mixPair(subject, 0x756e)
  return `${pickBy(['Suite', 'Floor', 'Apt', 'Unit'], draw)} ${1 + (draw % 24)}`
}

export function postalCode(subject: number): string {
  return fillDigits(cityOf(subject).postal, mixPair(subject, 0x706f))
}

/** `+49 30 ...` as E.164: `+49309018200`. */
export function phoneNumber(subject: number): string {
  const { callingCode, phone } = cityOf(subject).country
  return `+${callingCode}${fillDigits(phone, mixPair(subject, 0x7068))}`
}

export function latitudeOf(subject: number): number {
  return scatter(cityOf(subject).latitude, mixPair(subject, 0x6c61))
}

export function longitudeOf(subject: number): number {
  return scatter(cityOf(subject).longitude, mixPair(subject, 0x6c6f))
}

export function addressLine(subject: number): string {
  const { name, country } = cityOf(subject)
  return `${streetAddress(subject)}, ${postalCode(subject)} ${name}, ${country.name}`
}

function scatter(degrees: number, draw: number): number {
  return Math.round((degrees + (fraction(draw) - 0.5) * 0.08) * 10_000) / 10_000
}

/** `layout` with a digit for each '#', and a letter for each 'A' after a digit or a space. */
function fillDigits(layout: string, draw: number): string {
  let place = 0
  return layout.replace(/#|A(?=[A#]|$)/g, (mark) => {
    const bits = mixPair(draw, place++)
    return mark === '#' ? String(bits % 10) : 'ABCDEFGHJKLMNPRSTUVWXY'.charAt(bits % 22)
  })
}
