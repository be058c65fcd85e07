import { mixPair } from '../../runtime/random.ts'
import { type Cell, drawAt, fieldKey, pickBy } from './cell.ts'
import { priceAt } from './make-number.ts'
import { companyDomain, emailAddress, subjectFrom } from './person.ts'
import { cityOf, phoneNumber } from './place.ts'
import type { Site } from './site.ts'
import { createTemplateCodec, HEX, UUID_TEMPLATE } from './template-codec.ts'
import { makeUrl } from './url.ts'
import { COLOURS } from './words/general.ts'

type TextMaker = (cell: Cell) => string

/** Texts of the field's `format`; undefined for formats that say nothing of the text. */
export function formatText(site: Site): TextMaker | undefined {
  return MAKERS.get((site.schema.format ?? '').toLowerCase())?.(site)
}

/** Random UUIDs, version 4. */
export const uuidText = ({ key }: Site): TextMaker => {
  const codec = createTemplateCodec(UUID_TEMPLATE, key)
  return (cell) => String(codec.at(drawAt(cell, key)))
}
const emailText = (site: Site): TextMaker => {
  const subject = subjectFor(site)
  return (cell) => emailAddress(subject(cell))
}
const decimalText =
  ({ key }: Site): TextMaker =>
  (cell) =>
    priceAt(drawAt(cell, key), 2).toFixed(2)
const phoneText = (site: Site): TextMaker => {
  const subject = subjectFor(site)
  return (cell) => phoneNumber(subject(cell))
}
/** Addresses of the ranges kept for documentation (RFC 5737). */
export const ipv4Text =
  ({ key }: Site): TextMaker =>
  (cell) => {
    const draw = drawAt(cell, key)
    return `${pickBy(['192.0.2', '198.51.100', '203.0.113'], draw)}.${1 + (mixPair(draw, 1) % 254)}`
  }
/** Addresses of the range kept for documentation (RFC 3849). */
export const ipv6Text =
  ({ key }: Site): TextMaker =>
  (cell) =>
    `2001:db8::${hexDigits(drawAt(cell, key), 4)}:${hexDigits(mixPair(drawAt(cell, key), 1), 4)}`
const colourText =
  ({ key }: Site): TextMaker =>
  (cell) =>
    pickBy(COLOURS, drawAt(cell, key))[1]
const binaryText =
  (site: Site): TextMaker =>
  (cell) =>
    base64Text(drawAt(cell, site.key))

const MAKERS: ReadonlyMap<string, (site: Site) => TextMaker> = new Map(
  Object.entries({
    uuid: uuidText,
    uuid4: uuidText,
    guid: uuidText,
    email: emailText,
    'idn-email': emailText,
    uri: makeUrl,
    url: makeUrl,
    iri: makeUrl,
    'http-url': makeUrl,
    'uri-reference': makeUrl,
    hostname: (site) => {
      const subject = subjectFor(site)
      return (cell) => companyDomain(subject(cell))
    },
    domain: (site) => {
      const subject = subjectFor(site)
      return (cell) => companyDomain(subject(cell))
    },
    ipv4: ipv4Text,
    ip: ipv4Text,
    ipv6: ipv6Text,
    byte: binaryText,
    base64: binaryText,
    binary: binaryText,
    password:
      ({ key }) =>
      (cell) =>
        `${pickBy(['Harbor', 'Maple', 'Orchid', 'Summit'], drawAt(cell, key))}-${hexDigits(drawAt(cell, key), 8)}`,
    decimal: decimalText,
    money: decimalText,
    phone: phoneText,
    'phone-number': phoneText,
    color: colourText,
    'hex-color': colourText,
    duration:
      ({ key }) =>
      (cell) =>
        `PT${5 + (drawAt(cell, key) % 50)}M`,
    'json-pointer': () => () => '/data/0',
    regex: () => () => '^[a-z]+$',
    'iso-country-code': () => (cell) => cityOf(cell.subject).country.code,
    currency: () => (cell) => cityOf(cell.subject).country.currency,
  }),
)

const SAME_SUBJECT =
  /^(?:billing|shipping|contact|primary|work|personal|full|display|main|home|mobile|from|login|account|default|business|public|profile|legal|preferred|first|last|customer_facing|notification|reply_to|support|invoice)$/

/**
 * Whom a field tells of: `customer_email` of the customer that the record refers to, `owner_name` of somebody else than
 * the record itself, `billing_email` and `email` of the same one.
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

/** `customer` of `customer_email`; what stands before the word that says what kind of value it is. */
function prefixOf(snakeName: string): string {
  return (
    /^(.+?)_(?:(?:first|last|full|given|family|display|user|company|legal)_?)?(?:name|email|e_?mail|phone|phone_number|email_address|username|login|avatar|avatar_url|initials|surname|mail|address|mobile|handle|number)$/.exec(
      snakeName,
    )?.[1] ?? ''
  )
}

/** `count` hexadecimal digits of `draw`; 8 at most count. */
export function hexDigits(draw: number, count: number): string {
  let digits = ''
  for (let place = 0; place < count; place++)
    digits += HEX[(place < 8 ? draw >>> (place * 4) : mixPair(draw, place)) & 15]
  return digits
}

/** A short text in base 64. */
function base64Text(draw: number): string {
  const chars = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  let text = ''
  for (let place = 0; place < 24; place++) text += chars[mixPair(draw, place) % chars.length]
  return text
}
