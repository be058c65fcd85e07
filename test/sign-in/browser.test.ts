import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { WorkOS } from '@workos-inc/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findChromium } from '../../scripts/find-chromium.ts'
import { createSimulation } from '../../src/index.ts'
import { startForTest } from '../management/start-for-test.ts'
import { CHROMIUM_ARGS } from '../support/chromium-args.ts'
import { onLoopback } from '../support/on-loopback.ts'
import { openSimulation } from './open-sign-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS })
})
afterAll(() => browser.close())

/** An application that shows what it gets, and a page of it. */
async function open(options: BrowserContextOptions = {}) {
  const server = createServer(
    (_, response) => void response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>'),
  )
  const app = await onLoopback(server)
  const simulation = await openSimulation('oidc')
  const page = await browser.newPage(options)
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  const urlFor = (more: Record<string, string> = {}) => {
    const asked = {
      client_id: 'Shop',
      response_type: 'code',
      scope: 'openid email',
      redirect_uri: `${app.url}/cb`,
      ...more,
    }
    return `${simulation.url}/authorize?${new URLSearchParams(asked)}`
  }
  return { app, simulation, page, logged, urlFor }
}

/** Serious faults that axe finds. */
async function faultsOf(page: Page): Promise<string[]> {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  // Our policy allows no script of the page itself.
  const found = await page.evaluate(`(() => { ${source}; return axe.run() })()`)
  return (found as { violations: { id: string; impact: string }[] }).violations.map(({ id }) => id)
}

it.each(['light', 'dark'] as const)(
  'signs in by the labels of its pages, by mouse and keyboard, in %s',
  async (colorScheme) => {
    const { simulation, page, logged, urlFor } = await open({ colorScheme, viewport: { width: 390, height: 700 } })
    const scope = 'openid email https://www.googleapis.com/auth/calendar.events.readonly'
    await page.goto(urlFor({ scope }))

    const account = page
      .getByRole('list', { name: 'Accounts' })
      .getByRole('button', { name: 'Ada Lovelace ada@example.com' })
    await page.keyboard.press('Tab')
    const isFirst = await account.evaluate((button) => button === document.activeElement)
    const faults = await faultsOf(page)
    const bytes = (await page.content()).length
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
    const scopes = await page.getByRole('list', { name: 'Scopes' }).getByRole('listitem').allTextContents()
    faults.push(...(await faultsOf(page)))
    const width = await page.evaluate('document.documentElement.scrollWidth')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()

    expect({ isFirst, faults, scopes, width, logged }).toEqual({
      isFirst: true,
      faults: [],
      scopes: scope.split(' '),
      width: 390,
      logged: [],
    })
    expect(bytes).toBeLessThan(4_096)
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
    expect(await simulation.records('sign_ins')).toHaveLength(1)
  },
)

it('signs in with one line, cancels, and says why it cannot', async () => {
  const { app, simulation, page, urlFor } = await open()
  const other = await browser.newPage()
  await other.goto(app.url)
  const misplaced = simulation.auth.signIn(other, 'ada@example.com').catch(String)
  await page.goto(urlFor())
  await simulation.auth.signIn(page, 'ada@example.com')
  const allowed = page.url()

  await page.goto(urlFor({ prompt: 'login consent' }))
  await simulation.auth.signIn(page, 'alan@example.com', { consent: 'cancel' })
  const refused = page.url()
  await page.goto(urlFor({ prompt: 'login' }))
  const unknown = simulation.auth.signIn(page, 'nobody@example.com')
  await expect(unknown).rejects.toThrow('There is no account "nobody@example.com"')
  const unasked = simulation.auth.signIn(page, 'ada@example.com', { consent: 'cancel' })
  await expect(unasked).rejects.toThrow('Failed to refuse access for "ada@example.com": no page asked')
  const asked = { method: 'POST', body: new URLSearchParams({ client_id: 'Shop' }) }
  const device = await (await fetch(`${simulation.url}/device/code`, asked)).json()
  await page.goto(device.verification_uri)
  const codeless = simulation.auth.signIn(page, 'ada@example.com')
  await expect(codeless).rejects.toThrow(
    'Failed to sign in "ada@example.com": Expected the code of a device, got none.',
  )
  await page.goto(device.verification_uri_complete)
  await simulation.auth.signIn(page, 'ada@example.com')
  const connected = await page.getByRole('heading').textContent()
  await page.goto(urlFor({ redirect_uri: '' }))
  const misled = simulation.auth.signIn(page, 'ada@example.com')
  await expect(misled).rejects.toThrow('Expected `redirect_uri` to be an address of the application, got none.')

  expect(await misplaced).toContain(
    `Failed to sign in "ada@example.com": ${app.url}/ is no sign-in page. Open one first: ${simulation.url}/… with the heading "Sign in".`,
  )
  expect(connected).toBe('Signed in')
  expect(allowed).toContain('code=')
  expect(refused).toContain('error=access_denied')
})

it('works without scripts, posts answers, and stays out of frames', async () => {
  const { app, simulation, page, urlFor } = await open({ javaScriptEnabled: false })
  await page.goto(urlFor({ response_mode: 'form_post' }))
  await simulation.auth.signIn(page, 'ada@example.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  const framed = await browser.newPage()
  await framed.goto(app.url)

  await framed.setContent(`<iframe src="${urlFor()}"></iframe>`)
  const frame = framed.frames()[1]
  await frame?.waitForLoadState()

  expect(page.url()).toBe(`${app.url}/cb`)
  expect(await frame?.getByRole('heading', { name: 'Sign in' }).count()).toBe(0)
})

it('keeps the sessions of two simulations on one host apart, and takes no form of another site', async () => {
  const { simulation, page, urlFor } = await open()
  const other = await openSimulation('oidc')
  await page.goto(urlFor())
  await simulation.auth.signIn(page, 'ada@example.com')

  const apart = urlFor().replace(simulation.url, other.url)
  await page.goto(apart)
  const [, interaction = ''] = /name="interaction" value="(\w+)"/.exec(await page.content()) ?? []
  const post = (headers: Record<string, string>, token: string) =>
    fetch(apart, { method: 'POST', headers, body: new URLSearchParams({ interaction: token, account: '1001' }) })

  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(1)
  expect((await post({ origin: 'https://evil.example' }, interaction)).status).toBe(403)
  expect((await post({ origin: other.url }, 'guessed')).status).toBe(400)
})

it('signs in below the path of a service that several simulations share', async () => {
  const { service } = await startForTest({ addresses: 'path' })
  const { url: baseUrl, accountKey } = service
  const simulation = await createSimulation('oidc', { service: { baseUrl, accountKey }, webhooks: false })
  const { page, logged, urlFor } = await open()
  const shared = `${baseUrl}/s/${simulation.slug}`
  await page.goto(shared + urlFor().replace(/^.*(?=\/authorize)/, ''))

  await simulation.auth.signIn(page, 'ada@example.com')

  expect(page.url()).toContain('code=')
  expect(logged).toEqual([])
  expect(await page.context().cookies(shared)).toMatchObject([{ path: `/s/${simulation.slug}`, httpOnly: true }])
})

it('shows a page before the redirect of WorkOS, to browsers alone', async () => {
  const { app, page } = await open()
  const workos = await openSimulation('workos')
  await workos.create('users', { email: 'grace@acme.example', first_name: 'Grace', email_verified: true })
  const asked = {
    client_id: 'client_backlot',
    provider: 'authkit',
    response_type: 'code',
    redirect_uri: `${app.url}/cb`,
  }
  const url = `${workos.url}/user_management/authorize?${new URLSearchParams(asked)}`
  const fetched = await fetch(url, { redirect: 'manual' })
  await page.goto(url)

  await workos.auth.signIn(page, 'grace@acme.example')
  const code = new URL(page.url()).searchParams.get('code') ?? ''
  const { hostname, port } = new URL(workos.url)
  const address = { apiHostname: hostname, port: Number(port), https: false, clientId: 'client_backlot' }
  const { user } = await new WorkOS(`sk_test_${workos.key}`, address).userManagement.authenticateWithCode({ code })

  await page.goto(`${url}&prompt=login`)
  await workos.auth.signIn(page, 'grace@acme.example')
  await page.goto(`${url}&max_age=3600`)

  expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
  expect(fetched.status).toBe(302)
  expect(user).toMatchObject({ email: 'grace@acme.example' })
})
