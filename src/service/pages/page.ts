import { createHash } from 'node:crypto'
import type { Page, PageButton, PageField, PagePart, PageRow } from '../../protocol/page.ts'
import { isUnsafeAddress } from './redirect-address.ts'

const STYLE = `:root{color-scheme:light dark;--card:light-dark(#fff,#1f1f24);--act:light-dark(#0b57d0,#a8c7fa)}
*{box-sizing:border-box}body{display:grid;place-items:center;min-height:100vh;margin:0;padding:1rem;background:light-dark(#f4f4f6,#141417);color:light-dark(#1b1b1f,#ececf0);font:1rem/1.5 system-ui}
main{width:100%;max-width:26rem;padding:1.5rem;background:var(--card);border-radius:.75rem;overflow-wrap:anywhere}
h1,h2{margin:0;font-size:1.5rem;line-height:1.25}h2,footer{margin-top:1rem}h2{font-size:1.125rem}p,li{margin:.5rem 0}ul{margin:1rem 0;padding:0;list-style:none}.dot{padding-left:1.25rem;list-style:disc}
li:has(b){display:flex;justify-content:space-between;gap:1rem}b{font-weight:400;white-space:nowrap}.sum,.sum b{font-weight:600}.sum{border-top:1px solid #767676;padding-top:.5rem}
small,footer{display:block;font-size:.875rem}small,footer,::placeholder{color:light-dark(#55555c,#b4b4bc)}
form{display:flex;flex-wrap:wrap;gap:.75rem .5rem;margin:1rem 0}form>*{flex:1 1 100%}.half{flex:1 1 30%}form>ul{margin:0}
button,input,select{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid #767676;border-radius:.5rem;background:var(--card);color:inherit;font:inherit}
.act{background:var(--act);color:var(--card)}li button{text-align:left}[type=checkbox]{width:auto;min-height:0;margin-right:.5rem}a{color:var(--act)}
[role=alert]{color:light-dark(#b3261e,#f2b8b5)}`
const SEND = 'document.forms[0].submit()'
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
/** Without `form-action`: Chromium applies it to every redirect after the form, also those of the application. */
const POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; img-src data:; base-uri 'none'; frame-ancestors 'none'`

/** The policies of our own pages: under them no page can run a script of its own. */
export const PAGE_POLICIES: ReadonlySet<string> = new Set([POLICY, `${POLICY}; script-src ${hashOf(SEND)}`])

/** Whether an answer is a page for people. One that only sends its form on to the application is not. */
export const isPage = ({ headers }: { headers: Readonly<Record<string, string | readonly string[]>> }): boolean =>
  headers['Content-Security-Policy'] === POLICY

/** A page, or a redirect, as it is sent. */
export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The field of the forms of a page with its secret. */
const TOKEN = 'interaction'

/** What is wrong with a form, by its headers: browsers name the site that sends it. */
export const faultOfForm = (headers: Readonly<Record<string, string>>, ownUrl: string): string | undefined =>
  headers.origin === undefined || headers.origin === new URL(ownUrl).origin
    ? undefined
    : 'The form was sent by another site.'

/** The secret in the fields of a form. */
export const tokenIn = (fields: Readonly<Record<string, string>>): string => fields[TOKEN] ?? ''

/**
 * A page as it is sent: server-rendered, in no frame.
 *
 * @param token secret of the page, in its forms
 * @param sends whether it sends its first form by itself
 */
export function writePage(
  { title, parts, status = 200 }: Page,
  {
    token,
    headers,
    sends = false,
  }: { token?: string; headers?: Readonly<Record<string, string>>; sends?: boolean } = {},
): PageAnswer {
  const code = sends ? new Html(`<script>${SEND}</script>`) : undefined
  const hidden = token === undefined ? {} : { [TOKEN]: token }
  const content = parts.map((part) => (part === undefined ? undefined : show(part, hidden)))
  const { text } =
    html`<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=width=device-width><link rel=icon href=data:,><title>${title}</title><style>${new Html(STYLE)}</style><main><h1>${title}</h1>${content}<footer>Simulated by backlot. No real account is used.</footer></main>${code}</html>`
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': sends ? `${POLICY}; script-src ${hashOf(SEND)}` : POLICY,
      'Cache-Control': 'no-store',
      // With `no-referrer` Chromium would send `Origin: null` to our own forms.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'X-Robots-Tag': 'noindex',
      ...headers,
    },
    body: text,
  }
}

/** Sends the browser on. Throws for an address on which it would act itself. */
export function redirectTo(address: string): PageAnswer {
  if (isUnsafeAddress(address)) throw new Error(`Failed to redirect to "${address.slice(0, 200)}": it is no page.`)
  return { status: 303, headers: { Location: address, 'Cache-Control': 'no-store' }, body: null }
}

function show(part: PagePart, token: Readonly<Record<string, string>>): Html {
  if (typeof part === 'string') return html`<p>${part}</p>`
  if ('alert' in part) return html`<p role="alert">${part.alert}</p>`
  if ('status' in part) return html`<p role="status">${part.status}</p>`
  if ('note' in part) return html`<small>${part.note}</small>`
  if ('heading' in part) return html`<h2>${part.heading}</h2>`
  if ('list' in part) return html`<ul${dots(part.list)} aria-label="${part.name}">${part.list.map(showItem)}</ul>`
  if ('rows' in part) return html`<ul aria-label="${part.name}">${part.rows.map(showRow)}</ul>`
  if ('link' in part) return html`<p><a href="${isUnsafeAddress(part.to) ? '#' : part.to}">${part.link}</a></p>`
  if ('field' in part) return showField(part)
  if ('button' in part) return showButton(part)
  if ('check' in part)
    return html`<label><input type="checkbox" name="${part.name}" value="1" required>${part.check}</label>`
  const { form, to, hidden } = part
  const action = to === undefined ? undefined : html` action="${to}"`
  const fields = Object.entries({ ...(to === undefined && token), ...hidden }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" autocomplete=off${action}>${fields}${form.map((inner) => show(inner, token))}</form>`
}

const showItem = (item: string | PageButton): Html => html`<li>${typeof item === 'string' ? item : showButton(item)}`

const dots = ([first]: readonly (string | PageButton)[]): Html | undefined =>
  typeof first === 'string' ? html` class="dot"` : undefined

const showRow = ({ label, value, detail, main }: PageRow): Html =>
  html`<li${main ? html` class="sum"` : undefined}><span>${label}${below(detail)}</span> <b>${value}</b>`

function showField({ field, name, value = '', example, keys, half, optional, options }: PageField): Html {
  const more = [
    value === '' ? undefined : html` value="${value}"`,
    example === undefined ? undefined : html` placeholder="${example}"`,
    keys === undefined ? undefined : html` inputmode="${keys}"`,
    optional ? undefined : html` required`,
  ]
  const wide = half ? html` class="half"` : undefined
  if (options !== undefined) {
    const list = options.map(
      (one) => html`<option value="${one.value}"${one.value === value ? html` selected` : undefined}>${one.label}`,
    )
    return html`<label${wide}>${field}<select name="${name}">${list}</select></label>`
  }
  return html`<label${wide}>${field}<input name="${name}"${more}></label>`
}

function showButton({ button, name, value = '1', detail, main }: PageButton): Html {
  const kind = main ? html` class="act"` : undefined
  const sent = name === undefined ? undefined : html` name="${name}" value="${value}"`
  return html`<button${kind}${sent}>${button}${below(detail)}</button>`
}

const below = (detail: string | undefined): Html | undefined =>
  detail === undefined ? undefined : html`<small>${detail}</small>`

/** HTML that needs no escaping any more. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)

function html(
  texts: TemplateStringsArray,
  ...parts: readonly (string | Html | undefined | readonly (Html | undefined)[])[]
): Html {
  const shown = parts.map((part) =>
    typeof part === 'string'
      ? escaped(part)
      : [part]
          .flat()
          .map((one) => one?.text ?? '')
          .join(''),
  )
  return new Html(texts.map((text, at) => text + (shown[at] ?? '')).join(''))
}
