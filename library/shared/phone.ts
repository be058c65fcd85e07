import { isJsonObject, type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'

/** Calling codes (ITU-T E.164) with their countries, the longest codes first. */
const CALLING_CODES: readonly (readonly [code: string, country: string])[] = [
  ...(['353 IE', '351 PT', '358 FI', '352 LU', '354 IS', '420 CZ', '421 SK', '385 HR', '386 SI'] as const),
  ...(['370 LT', '371 LV', '372 EE', '380 UA', '852 HK', '886 TW', '971 AE', '972 IL', '966 SA'] as const),
  ...(['234 NG', '254 KE', '233 GH', '593 EC', '506 CR', '507 PA', '1 US', '7 RU', '20 EG', '27 ZA'] as const),
  ...(['30 GR', '31 NL', '32 BE', '33 FR', '34 ES', '36 HU', '39 IT', '40 RO', '41 CH', '43 AT'] as const),
  ...(['44 GB', '45 DK', '46 SE', '47 NO', '48 PL', '49 DE', '51 PE', '52 MX', '54 AR', '55 BR'] as const),
  ...(['56 CL', '57 CO', '60 MY', '61 AU', '62 ID', '63 PH', '64 NZ', '65 SG', '66 TH', '81 JP'] as const),
  ...(['82 KR', '84 VN', '86 CN', '90 TR', '91 IN', '92 PK', '94 LK'] as const),
].map((row) => row.split(' ') as [string, string])

/** Area codes of Canada, which shares its calling code with the United States. */
const CANADIAN = new Set(
  '204 226 236 249 250 289 306 343 365 403 416 418 431 437 438 450 506 514 519 548 579 581 587 604 613 639 647 705 709 778 780 782 807 819 825 867 873 902 905'.split(
    ' ',
  ),
)

/** How numbers are written within their countries (the national notation of ITU-T E.123). */
const NATIONAL: readonly (readonly [digits: RegExp, written: string])[] = [
  [/^1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3'],
  [/^44(2\d)(\d{4})(\d{4})$/, '0$1 $2 $3'],
  [/^44(1\d1|11\d|3\d\d|8\d\d)(\d{3})(\d{4})$/, '0$1 $2 $3'],
  [/^44([17]\d{3})(\d{6})$/, '0$1 $2'],
  [/^33(\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '0$1 $2 $3 $4 $5'],
  [/^34(\d{3})(\d\d)(\d\d)(\d\d)$/, '$1 $2 $3 $4'],
  [/^61(4\d\d)(\d{3})(\d{3})$/, '0$1 $2 $3'],
  [/^61(\d)(\d{4})(\d{4})$/, '(0$1) $2 $3'],
  [/^91(\d{5})(\d{5})$/, '0$1 $2'],
  [/^49(30|40|69|89)(\d+)$/, '0$1 $2'],
]

/**
 * A parsed phone number: `valid`, `possible` by its length (messages go there), `number` (E.164), `country`, `calling_code`, `national`, `friendly` (as Twilio names it), and its fault. Without a
 * plus it belongs to `country`; without a country, ten digits are American. A prefix such as `whatsapp:` is `channel`.
 */
export function phone(given: Json): JsonObject {
  const sent = isJsonObject(given) ? given : { of: given }
  const [text = '', home = ''] = [sent.of, sent.country].map(valueText)
  const [, channel = '', written = ''] = /^([a-z]+:)?(.*)$/s.exec(text.trim()) ?? []
  if (channel === 'messenger:')
    return { valid: true, possible: true, channel, number: written, country: null, friendly: written }
  if (/[a-z]/i.test(written)) return { valid: false, possible: false, channel, error: 'NOT_A_NUMBER' }
  const digits = written.replace(/\D/g, '')
  const whole = written.trim().startsWith('+') ? digits : fromHome(digits, home.toUpperCase())
  const [code, country] = CALLING_CODES.find(([start]) => whole.startsWith(start)) ?? []
  const error = faultOf(whole, code)
  const possible = error === undefined || error === 'INVALID_BUT_POSSIBLE'
  const valid = error === undefined
  const facts = { valid, possible, channel, number: `+${whole}`, calling_code: code ?? null, ...(error && { error }) }
  if (!possible) return facts
  const [digitsOf, how] = NATIONAL.find(([one]) => one.test(whole)) ?? [/^\d+$/, whole.slice(code?.length ?? 0)]
  const national = whole.replace(digitsOf, how)
  if (code !== '1') return { ...facts, country: country ?? null, national, friendly: `+${whole}` }
  const area = whole.slice(1, 4)
  return { ...facts, country: CANADIAN.has(area) ? 'CA' : 'US', area, national, friendly: national }
}

/** A number as dialled within its country, with the calling code. */
function fromHome(digits: string, home: string): string {
  const [code] = CALLING_CODES.find(([, country]) => country === (home === 'CA' ? 'US' : home)) ?? []
  if (code !== undefined && code !== '1') return `${code}${digits.replace(/^0/, '')}`
  return digits.length === 10 ? `1${digits}` : digits
}

function faultOf(digits: string, code: string | undefined): string | undefined {
  if (digits.length < 8) return 'TOO_SHORT'
  if (digits.length > 15) return 'TOO_LONG'
  if (digits.startsWith('0')) return 'INVALID_COUNTRY_CODE'
  if (code !== '1') return undefined
  if (digits.length < 11) return 'TOO_SHORT'
  if (digits.length > 11) return 'TOO_LONG'
  return /^1[2-9]\d\d[2-9]/.test(digits) ? undefined : 'INVALID_BUT_POSSIBLE'
}
