import type { OperationContext } from '../../src/handlers.ts'
import { valueText } from '../../src/protocol/json.ts'

/** Media of a message, at most. */
const MOST_MEDIA = 10

const UNUSABLE = 'is not a valid phone number, shortcode, or alphanumeric sender ID.'

const texts = (value: unknown): string[] => [value ?? []].flat().map((one) => valueText(one as string))
const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')
const channelOf = (address: string): string => /^([a-z]+):/.exec(address)?.[1] ?? ''

/** The answer of an error: its code is its page. */
export const errorOf = ({ respond }: OperationContext, status: number, code: number, message: string) =>
  respond({ status, body: { code, message, more_info: `https://www.twilio.example/docs/errors/${code}`, status } })

/** What Twilio refuses of a message beyond what is missing. */
export function message(context: OperationContext): object | undefined {
  const { From, To, StatusCallback, MediaUrl, ContentSid } = context.body
  const [from, to, media] = [valueText(From ?? ''), valueText(To ?? ''), texts(MediaUrl)]
  if (StatusCallback !== undefined && !isAddress(valueText(StatusCallback)))
    return errorOf(context, 400, 21609, `The 'StatusCallback' URL ${StatusCallback} is not a valid URL.`)
  if (media.length > MOST_MEDIA) return errorOf(context, 400, 21623, 'Number of media files exceeds allowed limit.')
  if (!media.every(isAddress)) return errorOf(context, 400, 21620, 'Invalid media URL(s)')
  if (ContentSid !== undefined && context.records.contents?.get(valueText(ContentSid)) === undefined)
    return errorOf(context, 400, 21655, 'The ContentSid is Invalid')
  if (from === '') return
  if (!/^(?:[a-z]+:.+|\+.*|\d{3,8}|(?=.*[A-Za-z])[\w &+-]{1,11}|1?\d{10})$/.test(from))
    return errorOf(context, 400, 21212, `The 'From' number ${from} ${UNUSABLE}`)
  if (to !== '' && channelOf(from) !== channelOf(to))
    return errorOf(context, 400, 21910, 'Invalid From and To pair. From and To should be of the same channel')
  return
}

/** What Twilio refuses of a call beyond what is missing. */
export function call(context: OperationContext): object | undefined {
  const { Url, StatusCallback } = context.body
  if (Url !== undefined && !isAddress(valueText(Url)))
    return errorOf(context, 400, 21205, `Url is not a valid URL: ${Url}`)
  if (StatusCallback !== undefined && !isAddress(valueText(StatusCallback)))
    return errorOf(context, 400, 21626, `StatusCallback is not a valid URL: ${StatusCallback}`)
  return
}
