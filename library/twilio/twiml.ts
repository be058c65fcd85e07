import { isJsonObject, type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { reachedBy } from './twilio.ts'

const TOKEN = /<!--.*?-->|<[?!][^>]*>|<(\/?)([A-Za-z][\w.-]*)((?:"[^"]*"|'[^']*'|[^>"'])*?)(\/?)>|([^<]+)/gs
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const ENDS = new Set(['Enqueue', 'Gather', 'Redirect', 'Reject', 'Hangup'])
/** Attributes that are addresses, and those of their methods. */
const ADDRESSES: Readonly<Record<string, string>> = {
  ...{ action: 'method', url: 'method', waitUrl: 'waitUrlMethod', statusCallback: 'statusCallbackMethod' },
  recordingStatusCallback: 'recordingStatusCallbackMethod',
}
const WORDS: Readonly<Record<string, RegExp>> = {
  stop: /^(stop|stopall|unsubscribe|cancel|end|quit|optout|revoke)$/,
  start: /^(start|yes|unstop)$/,
  help: /^(help|info)$/,
}

/** An element: its attributes, its `text`, its nouns in their order, and the first of each name. */
type Element = JsonObject & { verb: string; text: string; nouns: Element[] }

interface Document {
  readonly verbs: Element[]
  readonly words: string
  readonly rest: Json
  readonly addresses: string[]
}

/**
 * The `verbs` of a TwiML document up to the one that ends it, the `words` that are spoken, and the `rest`, which goes on
 * after a `<Gather>` without input. Its `addresses` may have to be asked: they are relative to `base`, the document's own.
 */
export function twiml(document: Json, base = ''): Document {
  const { text = '', from = 0 } = isJsonObject(document) ? document : { text: document }
  const { nouns: all } = rootOf(valueText(text))
  const nouns = all.slice(Number(from))
  const end = nouns.findIndex(({ verb, action }) => ENDS.has(verb) || action !== undefined)
  const verbs = end < 0 ? nouns : nouns.slice(0, end + 1)
  const spoken = [...verbs, ...verbs.flatMap((verb) => verb.nouns)].filter(({ verb }) => verb === 'Say')
  const own = base.replace(/^GET /, '')
  const whole = (address: string): string =>
    address === '' || /^https?:/.test(address) ? address : (URL.parse(address, own)?.href ?? address)
  const addresses = all
    .flatMap((verb) => [verb, ...verb.nouns])
    .flatMap((one) => {
      for (const [name, method] of Object.entries(ADDRESSES))
        if (one[name] !== undefined) one[name] = reachedBy(one[method], whole(valueText(one[name])))
      if (one.verb === 'Redirect') one.text = reachedBy(one.method, whole(one.text))
      return [
        one.verb === 'Redirect' ? one.text : '',
        ...Object.keys(ADDRESSES).map((name) => valueText(one[name] ?? '')),
      ]
    })
  return {
    verbs,
    words: spoken.map(({ text }) => text).join('\n'),
    rest: end < 0 ? null : { text, from: Number(from) + verbs.length },
    addresses: [...new Set(addresses)].filter((address) => /^(?:GET )?https?:/.test(address)),
  }
}

function rootOf(xml: string): Element {
  const path = [element('', '')]
  for (const [, close, name, attributes = '', empty, text] of xml.matchAll(TOKEN)) {
    const parent = path.at(-1) as Element
    if (text !== undefined) parent.text += plain(text)
    if (name === undefined) continue
    if (close === '/') {
      parent.text = parent.text.trim()
      if (path.length > 1) path.pop()
      continue
    }
    const made = element(name, attributes)
    parent.nouns.push(made)
    parent[name] ??= made
    if (empty !== '/') path.push(made)
  }
  return path[0]?.nouns[0] ?? element('', '')
}

const element = (verb: string, attributes: string): Element => ({
  ...Object.fromEntries([...attributes.matchAll(ATTRIBUTE)].map(([, name, a, b]) => [name, plain(a ?? b ?? '')])),
  verb,
  text: '',
  nouns: [],
})

const plain = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })

/** What a message asks for by a word of its own: `stop`, `start`, `help`, or null. */
export function keyword(given: string): string | null {
  const text = given.trim().toLowerCase()
  return Object.keys(WORDS).find((word) => WORDS[word]?.test(text)) ?? null
}
