import { toIso } from '../runtime/date-text.ts'
import { hexDigits, mixPair, pickBy } from '../runtime/random.ts'
import { isUuidOrUrn } from '../runtime/uuid.ts'

/** Facts about one field, from which texts of a format are made, for each record. */
export interface FieldFacts<Of> {
  /** 32 random bits. */
  draw(record: Of): number
  /** Milliseconds since the Unix epoch. */
  moment(record: Of): number
  uuid(record: Of): string
  email(record: Of): string
  url(record: Of): string
  domain(record: Of): string
  phone(record: Of): string
  price(record: Of): string
  colour(record: Of): string
  countryCode(record: Of): string
  currencyCode(record: Of): string
}

/** One `format` of texts: its check and its generator. */
interface Format {
  /** Strict check by the standard of the format. Linear in the length of the text. */
  readonly check?: (text: string) => boolean
  /** Further forms accepted from clients. */
  readonly lenient?: (text: string) => boolean
  readonly make?: Make
}

const URI = /^[a-z][a-z\d+.-]*:[^\s<>"\\^`{|}]+$/i
const HOSTNAME = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i
const DATE_TIME = /^\d{4}-\d\d-\d\d[t ](?:[01]\d|2[0-4]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i
const LOCAL_DATE_TIME = /^\d{4}-\d\d-\d\d([t ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/i
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]\d\d(:?\d\d)?)?$/i
const DURATION =
  /^P(?:\d+W|(?=\d|T\d)(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?=\d)(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/
const ISO_DURATION = /^P(?=.)(?:\d+(?:[.,]\d+)?[YMWD])*(?:T(?=.)(?:\d+(?:[.,]\d+)?[HMS])*)?$/
const EMAIL = /^[\w!#$%&'*+/=?^`{|}~.-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i
const WIDE_EMAIL = /^[^\s@"(),:;<>[\\\]]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i

type Make = <Of>(facts: FieldFacts<Of>, record: Of) => string

const uuid: Make = (facts, record) => facts.uuid(record)
const email: Make = (facts, record) => facts.email(record)
const url: Make = (facts, record) => facts.url(record)
const domain: Make = (facts, record) => facts.domain(record)
const phone: Make = (facts, record) => facts.phone(record)
const price: Make = (facts, record) => facts.price(record)
const colour: Make = (facts, record) => facts.colour(record)
const base64: Make = fromDraw(base64Text)
/** Addresses of the ranges kept for documentation (RFC 5737). */
const ipv4: Make = fromDraw(
  (draw) => `${pickBy(['192.0.2', '198.51.100', '203.0.113'], draw)}.${1 + (mixPair(draw, 1) % 254)}`,
)

const isUri = (text: string): boolean => URI.test(text)

/**
 * The known formats, by name. Other formats, and rows without a check, accept any text. `test/schema/formats.test.ts`
 * has probes for each check, and checks the texts that each row makes.
 */
const FORMATS: Readonly<Record<string, Format>> = {
  /** RFC 3339, section 5.6. Most APIs accept times without an offset or seconds, as UTC. */
  'date-time': {
    check: (text) => text.length < 64 && DATE_TIME.test(text) && beginsWithDay(text),
    lenient: (text) => text.length < 64 && LOCAL_DATE_TIME.test(text) && beginsWithDay(text),
    make: fromMoment((moment) => `${moment}Z`),
  },
  date: {
    check: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && beginsWithDay(text),
    make: fromMoment((moment) => moment.slice(0, 10)),
  },
  /** RFC 3339, section 5.6. Django, Java and .NET write the times of their types without an offset. */
  time: {
    check: (text) => text.length < 64 && TIME.test(text),
    make: fromMoment((moment) => `${moment.slice(11)}Z`),
  },
  /** RFC 3339, appendix A. Clients may also write the fractions and the mixed weeks of ISO 8601. */
  duration: {
    check: (text) => text.length < 64 && DURATION.test(text),
    lenient: (text) => text.length < 64 && ISO_DURATION.test(text),
    make: fromDraw((draw) => `PT${5 + (draw % 50)}M`),
  },
  /** RFC 9562. */
  uuid: { check: isUuidOrUrn, make: uuid },
  uuid4: { make: uuid },
  guid: { make: uuid },
  /** RFC 5321, section 4.1.2, without quoted names. Clients may also write RFC 6531's letters of other alphabets. */
  email: {
    check: (text) => text.length <= 320 && EMAIL.test(text),
    lenient: (text) => WIDE_EMAIL.test(text),
    make: email,
  },
  'idn-email': { make: email },
  /** RFC 3986. */
  uri: { check: isUri, make: url },
  'uri-reference': { check: (text) => /^[^\s<>"\\^`{|}]*$/.test(text), make: url },
  /** RFC 1738. */
  url: { check: isUri, make: url },
  iri: { make: url },
  'http-url': { make: url },
  /** RFC 1123. Clients may also write the dot of the root. */
  hostname: {
    check: (text) => text.length <= 253 && HOSTNAME.test(text),
    lenient: (text) => text.length <= 253 && HOSTNAME.test(text.replace(/\.$/, '')),
    make: domain,
  },
  domain: { make: domain },
  /** RFC 2673, section 3.2. */
  ipv4: { check: (text) => /^(?:(?:25[0-5]|2[0-4]\d|[01]?\d?\d)(?:\.(?!$)|$)){4}$/.test(text), make: ipv4 },
  ip: { make: ipv4 },
  /** RFC 4291. Generated addresses are in the documentation range (RFC 3849). */
  ipv6: {
    check: (text) => text.length <= 45 && text.includes(':') && /^[\da-f:.]+$/i.test(text),
    make: fromDraw((draw) => `2001:db8::${hexDigits(draw, 4)}:${hexDigits(mixPair(draw, 1), 4)}`),
  },
  /** RFC 4648, sections 4 and 5. */
  base64url: { check: (text) => /^[\w-]*={0,2}$/.test(text), make: base64 },
  byte: { check: (text) => text.length % 4 === 0 && /^[a-z\d+/]*={0,2}$/i.test(text), make: base64 },
  base64: { make: base64 },
  binary: { make: base64 },
  password: {
    make: fromDraw((draw) => `${pickBy(['Harbor', 'Maple', 'Orchid', 'Summit'], draw)}-${hexDigits(draw, 8)}`),
  },
  decimal: { make: price },
  money: { make: price },
  phone: { make: phone },
  'phone-number': { make: phone },
  color: { make: colour },
  'hex-color': { make: colour },
  'json-pointer': { make: () => '/data/0' },
  regex: { make: () => '^[a-z]+$' },
  'iso-country-code': { make: (facts, record) => facts.countryCode(record) },
  currency: { make: (facts, record) => facts.currencyCode(record) },
}

/** A test for texts of `format`; undefined for a format without a check. */
export function formatTest(format: string, mode: 'strict' | 'lenient'): ((text: string) => boolean) | undefined {
  const { check, lenient } = findFormat(format) ?? {}
  return mode === 'strict' || check === undefined || lenient === undefined
    ? check
    : (text) => check(text) || lenient(text)
}

/** A generator for texts of `format`, in either case; undefined for a format without one. */
export function formatMaker(format: string): Make | undefined {
  return findFormat(format.toLowerCase())?.make
}

function findFormat(name: string): Format | undefined {
  return Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
}

/** A text made from 32 random bits. */
function fromDraw(write: (draw: number) => string): Make {
  return (facts, record) => write(facts.draw(record))
}

/** A text made from `2026-11-21T08:00:00`. */
function fromMoment(write: (moment: string) => string): Make {
  return (facts, record) => write(toIso(facts.moment(record)).slice(0, 19))
}

/** Whether the first ten characters, already in the form of a date, are an existing day. */
function beginsWithDay(text: string): boolean {
  const year = Number(text.slice(0, 4))
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  if (month < 1 || month > 12 || day < 1) return false
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] as number))
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A short text in base 64. */
function base64Text(draw: number): string {
  const chars = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  let text = ''
  for (let place = 0; place < 24; place++) text += chars[mixPair(draw, place) % chars.length]
  return text
}
