import type { PagePart } from '../../src/handlers.ts'
import { account } from './account.ts'
import { broadcasts, sendBroadcast } from './broadcasts.ts'
import { contacts, properties, segments, suppressions, topics } from './contacts.ts'
import { domains, verifyDomain } from './domains.ts'
import { emails, sending } from './emails.ts'
import { advanceMail } from './mail.ts'
import { type Context, type Due, type Operations, ResendRequest } from './resend.ts'
import { templates } from './templates.ts'

const LINK = /<a\b[^>]*?href=["']([^"']+)["'][^>]*>(.*?)<\/a>/gis
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The words of HTML. */
const wordsOf = (html: string): string =>
  html
    .replaceAll(/<(style|script|title)\b.*?<\/\1>|<[^>]*>/gis, ' ')
    .replaceAll(/&(\w+|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim()

/** What has been sent, the newest first. */
const inbox = ({ page, records, origin }: Context): object =>
  page(() => ({
    title: 'Sent emails',
    parts: [...records.emails]
      .slice(0, 50)
      .flatMap(({ id, to, subject, last_event }): PagePart[] => [
        { link: String(subject) || 'No subject', to: `${origin}/inbox/${id}` },
        { note: `To ${[to].flat().join(', ')}: ${last_event}` },
      ]),
  }))

/** An email as words, with its links. */
const email = ({ page, records, path, origin }: Context): object =>
  page(() => {
    const found = records.emails.get(String(path.id))
    if (found === undefined) return { title: 'Not found', parts: [{ alert: 'There is no such email.' }], status: 404 }
    const { from, to, subject, html, text } = found
    const fromHtml = [...String(html ?? '').matchAll(LINK)].map(([, address = '', words = '']) => [words, address])
    const fromText = html ? [] : [...String(text ?? '').matchAll(/https?:\/\/[^\s<>"]+/g)].map(([url]) => [url, url])
    return {
      title: String(subject) || 'No subject',
      parts: [
        { note: `From ${from} to ${[to].flat().join(', ')}` },
        html ? wordsOf(String(html)) : String(text ?? ''),
        ...[...fromHtml, ...fromText].map(([words = '', address = '']) => ({
          link: wordsOf(words) || address,
          to: wordsOf(address),
        })),
        { link: 'All emails', to: `${origin}/inbox` },
      ],
    }
  })

const handlersOf = (operations: Operations, check: (resend: ResendRequest) => void = () => {}) =>
  Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => {
        const resend = new ResendRequest(context)
        check(resend)
        return handle(resend)
      },
    ]),
  )

/** Refuses a key that is for sending alone. */
function checkKey(resend: ResendRequest): void {
  if (resend.apiKey?.permission !== 'sending_access') return
  const message = 'This API key is restricted to only send emails'
  resend.refuse({ status: 401, name: 'restricted_api_key', message })
}

const restricted = { ...account, ...broadcasts, ...contacts, ...domains, ...emails, ...properties, ...segments }

export default {
  $happenings: ({ record }: Due) => record.data,
  ...{ 'GET /inbox': inbox, 'GET /inbox/{id}': email },
  ...handlersOf(sending),
  ...handlersOf({ ...restricted, ...suppressions, ...templates, ...topics }, checkKey),
  ...{ advanceMail, sendBroadcast, verifyDomain },
}
