import { fraction, mixPair, pickBy } from '../../runtime/random.ts'
import { COMPANY_FORMS, COMPANY_KINDS, COMPANY_STEMS } from './words/companies.ts'
import { FAMILY_NAMES, GIVEN_NAMES } from './words/people.ts'

/** How many subjects differ in name; a higher number repeats a name and gets a digit in its addresses. */
export const SUBJECTS = GIVEN_NAMES.length * FAMILY_NAMES.length

const MAIL_DOMAINS = ['example.com', 'example.com', 'example.org', 'example.net']

/** A subject for `hash`. */
export function subjectFrom(hash: number): number {
  return hash % SUBJECTS
}

export function givenName(subject: number): string {
  return GIVEN_NAMES[subject % GIVEN_NAMES.length] as string
}

export function familyName(subject: number): string {
  return FAMILY_NAMES[Math.floor(subject / GIVEN_NAMES.length) % FAMILY_NAMES.length] as string
}

export function fullName(subject: number): string {
  return `${givenName(subject)} ${familyName(subject)}`
}

export function initials(subject: number): string {
  return givenName(subject).charAt(0) + familyName(subject).charAt(0)
}

/** `maya.fischer`, `mfischer` or `maya_fischer`, each subject in one style. */
export function userName(subject: number): string {
  const given = givenName(subject).toLowerCase()
  const family = familyName(subject).toLowerCase()
  return given + family.slice(0, 24) + roundOf(subject)
}

/** `maya.fischer@example.com`; unique for each subject. */
export function emailAddress(subject: number): string {
  const local = `${givenName(subject)}.${familyName(subject)}`.toLowerCase() + roundOf(subject)
  return `${local}@${MAIL_DOMAINS[mixPair(subject, 0x6d61) % MAIL_DOMAINS.length]}`
}

function roundOf(subject: number): string {
  const round = Math.floor(subject / SUBJECTS)
  return round === 0 ? '' : String(round + 1)
}

/** `Kestrel Logistics`. */
export function companyName(subject: number): string {
  const draw = mixPair(subject, 0x636f)
  const stem = COMPANY_STEMS[(subject + (draw & 0xff)) % COMPANY_STEMS.length] as string
  return `${stem} ${pickBy(COMPANY_KINDS, mixPair(draw, 1))}`
}

/** `Kestrel Logistics Ltd`. */
export function legalName(subject: number): string {
  return `${companyName(subject)} ${pickBy(COMPANY_FORMS, mixPair(subject, 0x6c65))}`
}

/** `kestrel-logistics`. */
export function companySlug(subject: number): string {
  return companyName(subject).toLowerCase().replaceAll(' ', '-')
}

/** `kestrel-logistics.example.com`. */
export function companyDomain(subject: number): string {
  return `${companySlug(subject)}.example.com`
}

/** Years of age, mostly of working age. */
export function ageOf(subject: number): number {
  return 19 + Math.floor((fraction(mixPair(subject, 0x6167)) + fraction(mixPair(subject, 0x6168))) * 24)
}
