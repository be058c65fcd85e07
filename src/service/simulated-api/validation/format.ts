import { isUuidOrUrn } from '../../../runtime/uuid.ts'

/** What each `format` of a string looks like. Formats that are not here are not enforced. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => isDateTime(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && beginsWithDay(text),
  time: (text) => /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]\d\d(:?\d\d)?)$/i.test(text),
  uuid: isUuidOrUrn,
  email: (text) =>
    /^[^\s@"(),:;<>[\\\]]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:[^\s<>"\\^`{|}]+$/i.test(text),
  'uri-reference': (text) => /^[^\s<>"\\^`{|}]*$/.test(text),
  ipv4: (text) => /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text),
  ipv6: (text) => text.length <= 45 && text.includes(':') && /^[0-9a-f:.]+$/i.test(text),
  hostname: (text) =>
    text.length <= 253 &&
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i.test(text),
  byte: (text) => text.length % 4 === 0 && /^[a-z0-9+/]*={0,2}$/i.test(text),
}

/** What clients may write besides: most APIs read moments without an offset or seconds as UTC. */
const LENIENT: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) =>
    isDateTime(text) || (/^\d{4}-\d\d-\d\d([t ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/i.test(text) && beginsWithDay(text)),
}

/** A test for texts of `format`; undefined where the format says nothing that could be tested. */
export function toFormatTest(format: string, isRequest = false): ((text: string) => boolean) | undefined {
  if (isRequest && Object.hasOwn(LENIENT, format)) return LENIENT[format]
  return Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
}

const DATE_TIME = /^\d{4}-\d\d-\d\d[t ](?:[01]\d|2[0-4]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-]\d\d:?(?:\d\d)?)$/i

/**
 * The moment that was last found to be one: a record that is made says the same one twice, and so do those after it.
 */
let latestMoment: string | undefined

function isDateTime(text: string): boolean {
  if (text === latestMoment) return true
  if (!DATE_TIME.test(text) || !beginsWithDay(text)) return false
  latestMoment = text
  return true
}

/** Whether the first ten characters, which are known to be a date by their form, are a day that there is. */
function beginsWithDay(text: string): boolean {
  const year = Number(text.slice(0, 4))
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  if (month < 1 || month > 12 || day < 1) return false
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] as number))
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
