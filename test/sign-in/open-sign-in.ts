import { createSimulation } from '../../src/index.ts'
import { startForTest } from '../management/start-for-test.ts'

export type Options = NonNullable<Parameters<typeof createSimulation>[1]>

/** A simulation of a service that is closed after the test. */
export async function openSimulation(source: Parameters<typeof createSimulation>[0], options: Options = {}) {
  const { service } = await startForTest({ allowPrivateWebhooks: ['127.0.0.0/8'] })
  const { url: baseUrl, accountKey } = service
  return createSimulation(source, { service: { baseUrl, accountKey }, webhooks: false, ...options })
}

/** A browser without pages: keeps cookies, and posts the forms of pages by the names of their buttons. */
export class Visitor {
  #cookies = new Map<string, string>()
  #page = { url: '', text: '' }

  get text(): string {
    return this.#page.text
  }

  async open(url: string | URL): Promise<Response> {
    return this.#take(String(url), await fetch(url, { redirect: 'manual', headers: this.#headers() }))
  }

  /** Opens an address and follows its redirects. */
  async follow(url: string | URL): Promise<Response> {
    const answer = await this.open(url)
    const next = answer.headers.get('location')
    return next === null ? answer : this.follow(new URL(next, url))
  }

  /** Posts the form of the page to the application, as its script does. */
  async submit(): Promise<Response> {
    const [, action = ''] = /action="([^"]+)"/.exec(this.#page.text) ?? []
    return this.#take(
      action,
      await fetch(action, { method: 'POST', redirect: 'manual', body: this.posted, headers: this.#headers() }),
    )
  }

  /** The fields of the form of the page. */
  get posted(): URLSearchParams {
    const pairs = [...this.#page.text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')],
    )
    return new URLSearchParams(pairs)
  }

  /** Sends the forms of the page to another node of the service. */
  moveTo(node: string): void {
    const { pathname, search } = new URL(this.#page.url)
    this.#page.url = new URL(node).origin + pathname + search
  }

  /** Presses a button; the address of a redirect, or ''. */
  async press(name: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
    const { url, text } = this.#page
    const [, token = ''] = /name="interaction" value="([^"]+)"/.exec(text) ?? []
    const [, button, value = ''] = new RegExp(`name="(\\w+)" value="([^"]*)">${name}`).exec(text) ?? []
    const body = new URLSearchParams({
      interaction: token,
      ...(button !== undefined && { [button]: value }),
      ...fields,
    })
    const origin = new URL(url).origin
    const init = {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: { origin, ...this.#headers(), ...headers },
    } as const
    return this.#take(url, await fetch(url, init))
  }

  async #take(url: string, answer: Response): Promise<Response> {
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.#cookies.set(name, value)
    }
    this.#page = { url, text: await answer.clone().text() }
    return answer
  }

  #headers(): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return cookie === '' ? {} : { cookie }
  }
}

/** Signs Ada in and allows everything; the address that the application gets. */
export async function signInByHand(url: string | URL, visitor = new Visitor(), account = 'Ada Lovelace'): Promise<URL> {
  let answer = await visitor.open(url)
  if (answer.status === 200) answer = await visitor.press(account)
  if (answer.status === 200) answer = await visitor.press('Allow')
  return new URL(answer.headers.get('location') ?? `about:${answer.status}`)
}

/** Begins at one node of a service and ends at another; each address is that of the same simulation. */
export async function signInAcross(first: string, second: string) {
  const redirect_uri = 'http://127.0.0.1:9/cb'
  const asked = { client_id: 'app', response_type: 'code', scope: 'openid offline_access', redirect_uri }
  const visitor = new Visitor()
  const post = async (path: string, fields: Record<string, string>) =>
    (
      await fetch(path, { method: 'POST', body: new URLSearchParams({ client_id: 'app', ...fields }) })
    ).json() as Promise<Record<string, unknown>>

  await visitor.open(`${first}/authorize?${new URLSearchParams(asked)}`)
  visitor.moveTo(second)
  await visitor.press('Ada Lovelace')
  visitor.moveTo(first)
  const callback = await visitor.press('Allow')
  const code = new URL(callback.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const tokens = await post(`${second}/token`, { grant_type: 'authorization_code', code, redirect_uri })
  const again = await post(`${first}/token`, { grant_type: 'authorization_code', code, redirect_uri })
  const silent = await visitor.open(`${second}/authorize?${new URLSearchParams({ ...asked, prompt: 'none' })}`)
  const active = await post(`${second}/introspect`, { token: String(tokens.access_token) })
  return {
    hasRefreshToken: typeof tokens.refresh_token === 'string',
    secondUse: again.error,
    isSignedInThere: silent.headers.get('location')?.includes('code=') ?? false,
    isActiveAfterSecondUse: active.active,
  }
}

/** What a service with one state answers to it. */
export const SIGNED_IN_ACROSS: Awaited<ReturnType<typeof signInAcross>> = {
  hasRefreshToken: true,
  secondUse: 'invalid_grant',
  isSignedInThere: true,
  isActiveAfterSecondUse: false,
}
