import { isUuidOrUrn } from '../../runtime/uuid.ts'

const CHECKS: ReadonlyMap<string, (text: string) => boolean> = new Map(
  Object.entries({
    'date-time': (text) =>
      text.length < 64 &&
      /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/.test(text) &&
      isDate(text.slice(0, 10)),
    date: (text) => isDate(text),
    time: (text) => text.length < 64 && /^\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/.test(text),
    duration: (text) => text.length < 64 && /^P(?=.)(?:\d+[YMWD])*(?:T(?=.)(?:\d+[HMS])*)?$/.test(text),
    uuid: isUuidOrUrn,
    email: (text) => text.length <= 320 && /^[\w!#$%&'*+/=?^`{|}~.-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(text),
    uri: (text) => /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(text),
    url: (text) => /^(?:https?|ftp):\/\/[^\s<>"{}|\\^`]+$/i.test(text),
    'uri-reference': (text) => /^[^\s<>"{}|\\^`]*$/.test(text),
    hostname: (text) => text.length <= 253 && /^[a-z\d-]+(?:\.[a-z\d-]+)*$/i.test(text),
    ipv4: (text) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255),
    ipv6: (text) => text.length <= 45 && /^[\da-f:.]*:[\da-f:.]*$/i.test(text),
    byte: (text) => text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text),
  }),
)

/** Whether `text` is of `format`; formats without a rule hold anything. Each check takes linear time. */
export function fitsFormat(format: string, text: string): boolean {
  const check = CHECKS.get(format)
  return check === undefined || check(text)
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (month < 1 || month > 12) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day >= 1 && day <= (days[month - 1] as number)
}
