import { valueText } from '../../src/protocol/json.ts'
import { phone } from '../shared/phone.ts'
import { type Fields, type Json, type Kept, type TwilioRequest, textOf } from './twilio.ts'

/** What messages and calls have in common. */

export type Fault = readonly [code: number, message: string, status?: number]
/** Faults by phone numbers. */
export type Faults = Readonly<Record<string, Fault>>

/** The fault of a sender's number. */
export const unusable = (from: string): Fault => [
  ...([21212, `The 'From' number ${from} is not a valid phone number, shortcode, or alphanumeric sender ID.`] as const),
]

/** Refuses a number to send or call to: errors show it without its last four digits. */
export const refuseNumber = (twilio: TwilioRequest, number: string): never =>
  twilio.refuse(21211, `Invalid 'To' Phone Number: ${number.replace(/.{4}$/, 'XXXX')}`)

export const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** A number with its channel, such as `whatsapp:`, as E.164 has it; other senders as they are. */
export const addressOf = (given: string): string => {
  const { valid, channel, number } = phone(given)
  return valid === true ? `${textOf(channel)}${textOf(number)}` : given
}

/** Whether the time of a record is what the query asks of it: a day, or from one time to another. */
export function isAsked({ query }: TwilioRequest, name: string, time: Json | undefined): boolean {
  const [from = '', to, day = ''] = [`${name}>`, `${name}<`, name].map((one) => valueText(query[one] ?? ''))
  const text = textOf(time)
  return text >= from && text <= (to || '9') && text.startsWith(day.slice(0, 10))
}

/** What a fallback address gets about the failed one: twilio.com/docs/api/errors/11200. */
export const failureAt = (address: Json | undefined): Fields => ({
  ...{ ErrorCode: '11200', ErrorUrl: textOf(address).replace(/^GET /, '') },
})

/** The TwiML that an application has answered with. */
export const documentOf = ({ of }: TwilioRequest): string => Buffer.from(of.files[0]?.base64 ?? '', 'base64').toString()

/** Refuses to delete a record that is not yet done. */
export function refuseUnfinished(twilio: TwilioRequest, { status }: Kept, unfinished: readonly string[]): void {
  if (unfinished.includes(textOf(status)))
    twilio.refuse(20009, 'Cannot delete this resource before it is complete.', 409)
}
