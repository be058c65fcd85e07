/** What each `format` of a string looks like. Formats that are not here are not enforced. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text),
  time: (text) => /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]\d\d(:?\d\d)?)$/i.test(text),
  uuid: (text) => /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text),
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

/** A test for texts of `format`; undefined where the format says nothing that could be tested. */
export function toFormatTest(format: string): ((text: string) => boolean) | undefined {
  return Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
}

function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d)[t ]([01]\d|2[0-4]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]\d\d:?(\d\d)?)$/i.exec(text)
  return match !== null && isDay(match[1] as string)
}

function isDay(text: string): boolean {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number]
  if (month < 1 || month > 12 || day < 1) return false
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return day <= ([31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] as number)
}
