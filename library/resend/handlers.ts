import type { AnyOperation, OperationContext, PagePart } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { typeOfFile } from './media-type.ts'
import { rendered } from './rendered.ts'
import { spokenTime } from './spoken-time.ts'

type Context = OperationContext<AnyOperation, { emails: JsonObject & { readonly id: string } }>

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

export default {
  'GET /inbox': inbox,
  'GET /inbox/{id}': email,
  $mediaType: typeOfFile,
  $rendered: rendered,
  $spokenTime: spokenTime,
}
