import { createHash } from 'node:crypto'
import type { SignInAnswer } from './sign-in-call.ts'

const STYLE = `:root{color-scheme:light dark;--line:#767676;--ink:#1b1b1f;--dim:#55555c;--back:#f4f4f6;--card:#fff;--act:#0b57d0;--on:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--line:#8e8e96;--ink:#ececf0;--dim:#b4b4bc;--back:#141417;--card:#1f1f24;--act:#a8c7fa;--on:#0a2a5e;--bad:#f2b8b5}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-content:center;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:min(26rem,100vw - 2rem);margin:1rem;padding:1.5rem;background:var(--card);border-radius:.75rem;overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}p{margin:.5rem 0}ul{margin:1rem 0;padding:0;list-style:none}li{margin:.5rem 0}.scopes li{list-style:disc;margin-left:1.25rem}
button,input{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);color:inherit;font:inherit}
button{cursor:pointer}button.act{background:var(--act);border-color:var(--act);color:var(--on)}.account{text-align:left}.account span{display:block;color:var(--dim)}
label{display:block;margin:1rem 0 .25rem}form{margin:.5rem 0}[role=alert]{color:var(--bad)}:focus-visible{outline:3px solid var(--act);outline-offset:2px}
footer{margin-top:1.5rem;font-size:.875rem;color:var(--dim)}`
const SEND = 'document.forms[0].submit()'
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
/** Without `form-action`: Chromium applies it to every redirect after the form, also those of the application. */
const POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; img-src data:; base-uri 'none'; frame-ancestors 'none'`

/** The policies of our own pages: under them no page can run a script of its own. */
export const PAGE_POLICIES: ReadonlySet<string> = new Set([POLICY, `${POLICY}; script-src ${hashOf(SEND)}`])

/** Whether an answer is a page for people. One that only sends its form on to the application is not. */
export const isPage = (headers: Readonly<Record<string, string | readonly string[]>>): boolean =>
  headers['Content-Security-Policy'] === POLICY

/** HTML that needs no escaping any more. */
export class Html {
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
type Part = string | Html | undefined | readonly (Html | undefined)[]

/** HTML with escaped texts. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const shown = parts.map((part) =>
    part === undefined
      ? ''
      : typeof part === 'string'
        ? escaped(part)
        : [part]
            .flat()
            .map((one) => one?.text ?? '')
            .join(''),
  )
  return new Html(texts.map((text, at) => text + (shown[at] ?? '')).join(''))
}

/** A page: server-rendered, without script, in no frame. */
export function page(
  title: string,
  content: Html,
  { status = 200, headers = {}, script }: { status?: number; headers?: Record<string, string>; script?: string } = {},
): SignInAnswer {
  const code = script === undefined ? undefined : new Html(`<script>${script}</script>`)
  const { text } =
    html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>${title}</title><style>${new Html(STYLE)}</style><main><h1>${title}</h1>${content}<footer>Simulated by backlot. No real account is used.</footer></main>${code}</html>`
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': script === undefined ? POLICY : `${POLICY}; script-src ${hashOf(script)}`,
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

export const problemPage = (message: string, status = 400): SignInAnswer =>
  page('Sign-in failed', html`<p role="alert">${message}</p>`, { status })

export const resultPage = (title: string, message: string, headers: Record<string, string> = {}): SignInAnswer =>
  page(title, html`<p role="status">${message}</p>`, { headers })

const hidden = (fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

/** A form that posts to its own page. */
const form = (token: string, content: Html): Html =>
  html`<form method="post">${hidden({ interaction: token })}${content}</form>`

const cancel = (token: string): Html => form(token, html`<button name="cancel" value="1">Cancel</button>`)

/** What every page of one sign-in shows. */
export interface PageFacts {
  /** Secret of the interaction, in every form. */
  readonly token: string
  readonly client: string
  readonly provider: string
  readonly problem?: string | undefined
}

const alert = ({ problem }: PageFacts): Html | undefined =>
  problem === undefined ? undefined : html`<p role="alert">${problem}</p>`

/** The page that asks who signs in. */
export function accountPage(
  facts: PageFacts,
  accounts: readonly { id: string; name: string; email: string }[],
  hint: string,
): SignInAnswer {
  const { token, client, provider } = facts
  const rows = accounts.map(
    ({ id, name, email }) =>
      html`<li><button class="account" name="account" value="${id}">${name}<span>${email}</span></button></li>`,
  )
  const list = rows.length === 0 ? undefined : form(token, html`<ul aria-label="Accounts">${rows}</ul>`)
  return page(
    'Sign in',
    html`<p>to continue to ${client} with the simulated ${provider}</p>${alert(facts)}${list}${form(
      token,
      html`<label for="email">Another email address</label><input id="email" name="email" value="${hint}" inputmode="email" autocomplete="off" required><p><button class="act">Continue</button></p>`,
    )}${cancel(token)}`,
    { status: facts.problem === undefined ? 200 : 400 },
  )
}

/** The page that asks for consent. */
export function consentPage(
  { token, client, provider }: PageFacts,
  scopes: readonly string[],
  user: { name: string; email: string },
  headers: Record<string, string> = {},
): SignInAnswer {
  const rows = scopes.map((scope) => html`<li>${scope}</li>`)
  return page(
    'Allow access?',
    html`<p>${client} asks for access to the simulated ${provider} account of ${user.name} (${user.email}).</p><ul class="scopes" aria-label="Scopes">${rows}</ul>${form(
      token,
      html`<button class="act" name="allow" value="1">Allow</button>`,
    )}${cancel(token)}`,
    { headers },
  )
}

/** The page on which a user enters the code that a device shows. */
export function devicePage(facts: Omit<PageFacts, 'client'>, code: string): SignInAnswer {
  return page(
    'Connect a device',
    html`${alert({ ...facts, client: '' })}${form(
      facts.token,
      html`<label for="code">Code</label><input id="code" name="user_code" value="${code}" autocomplete="off" autocapitalize="characters" required><p><button class="act">Continue</button></p>`,
    )}`,
    { status: facts.problem === undefined ? 200 : 400 },
  )
}

/** The page that asks whether to sign out. */
export const logoutPage = ({ token, provider }: Omit<PageFacts, 'client'>): SignInAnswer =>
  page(
    'Sign out?',
    html`<p>You are signed in with the simulated ${provider}.</p>${form(token, html`<button class="act" name="allow" value="1">Sign out</button>`)}${cancel(token)}`,
  )

/** The page that posts an answer to the application (OAuth 2.0 Form Post Response Mode). */
export const postPage = (address: string, fields: Readonly<Record<string, string>>): SignInAnswer =>
  page(
    'Back to the application',
    html`<form method="post" action="${address}">${hidden(fields)}<button class="act">Continue</button></form>`,
    { script: SEND },
  )
