import { fraction, mixPair, pickBy } from '../../../runtime/random.ts'
import { type Cell, fieldKey } from '../cell.ts'
import type { Site } from '../site.ts'
import { COMPANY_FORMS, COMPANY_KINDS, COMPANY_STEMS, FAMILY_NAMES, GIVEN_NAMES } from './people.ts'

/** Number of subjects with different names; a higher number repeats a name, with a digit in its addresses. */
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

/** `mayafischer`; unique for each subject. */
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

/** Age in years, mostly of working age. */
export function ageOf(subject: number): number {
  return 19 + Math.floor((fraction(mixPair(subject, 0x6167)) + fraction(mixPair(subject, 0x6168))) * 24)
}

const SAME_SUBJECT =
  /^(?:billing|shipping|contact|primary|work|personal|full|display|main|home|mobile|from|login|account|default|business|public|profile|legal|preferred|first|last|customer_facing|notification|reply_to|support|invoice)$/

/**
 * The subject of a field: for `customer_email` the customer to which the record refers, for `owner_name` another person
 * than the record's own subject, for `billing_email` and `email` the record's own.
 */
export function subjectFor(site: Site): (cell: Cell) => number {
  const prefix = prefixOf(site.snake)
  if (prefix === '' || SAME_SUBJECT.test(prefix) || prefix === site.owner || site.owner.endsWith(`_${prefix}`))
    return (cell) => cell.subject
  const known = site.surroundings.subjectOf(prefix)
  if (known) return known
  const key = fieldKey(prefix)
  return (cell) => subjectFrom(mixPair(cell.seed, key))
}

/** `customer` of `customer_email`: the words before the kind of value. */
function prefixOf(snakeName: string): string {
  return (
    /^(.+?)_(?:(?:first|last|full|given|family|display|user|company|legal)_?)?(?:name|email|e_?mail|phone|phone_number|email_address|username|login|avatar|avatar_url|initials|surname|mail|address|mobile|handle|number)$/.exec(
      snakeName,
    )?.[1] ?? ''
  )
}

const PEOPLE = new Set(
  `user person people contact member employee author patient student teacher driver candidate lead recipient subscriber owner assignee assigned_to reporter creator created_by updated_by profile guest buyer seller artist actor attendee participant staff agent admin admin_user payer cardholder human individual character doctor speaker reviewer requester sender identity customer player follower collaborator traveler invitee host_user performer worker resident tenant_user supplier_contact`.split(
    /\s+/,
  ),
)
const COMPANIES = new Set(
  `company organisation org merchant vendor supplier business client employer publisher brand tenant manufacturer partner agency provider carrier store_owner customer_account enterprise firm insurer issuer sponsor owner_company parent_company franchise airline studio distributor organization`.split(
    /\s+/,
  ),
)

/** The kind of a snake-case noun, by its last words: `billing_contact` is a person. */
export function kindOf(noun: string): 'person' | 'company' | 'thing' {
  for (let words = noun; ; words = words.slice(words.indexOf('_') + 1)) {
    if (PEOPLE.has(words)) return 'person'
    if (COMPANIES.has(words) || noun === 'account') return 'company'
    if (!words.includes('_')) return 'thing'
  }
}
