import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose'
import { Configuration, CountryCode, PlaidApi, Products, SandboxItemFireWebhookRequestWebhookCodeEnum } from 'plaid'
import { expect, it, onTestFinished } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { startService } from '../../src/service.ts'
import { callerOf } from '../management/start-for-test.ts'
import { onLoopback } from '../support/on-loopback.ts'

const KEY = 'svc_sim_0123456789abcdef'

it('signs the webhook of an item with the key that clients ask for, with credentials in the body', async () => {
  const received: { token: string; rawBody: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray()
    received.push({ token: String(request.headers['plaid-verification']), rawBody: Buffer.concat(chunks) })
    response.end()
  })
  const listening = await onLoopback(server)
  onTestFinished(() => listening[Symbol.asyncDispose]())
  const service = await startService({
    allowPrivateWebhooks: ['127.0.0.1'],
    accounts: [{ keys: [{ key: 'svc_acc_0123456789abcdef' }] }],
    simulations: [{ library: 'plaid', key: KEY }],
  })
  onTestFinished(() => service.close())
  const { body } = await callerOf(service)('GET', '/v1/simulations/plaid')
  const plaid = new PlaidApi(new Configuration({ basePath: body.url.replace(/\/$/, '') }))
  const client = { client_id: 'test', secret: KEY }

  const { data: made } = await plaid.sandboxPublicTokenCreate({
    ...client,
    institution_id: 'ins_109508',
    initial_products: [Products.Auth],
    options: { webhook: listening.url },
  })
  const { data: item } = await plaid.itemPublicTokenExchange({ ...client, public_token: made.public_token })
  const webhook_code = SandboxItemFireWebhookRequestWebhookCodeEnum.NewAccountsAvailable
  await plaid.sandboxItemFireWebhook({ ...client, access_token: item.access_token, webhook_code })
  await expect.poll(() => received).toHaveLength(1)
  const [{ token, rawBody } = { token: '', rawBody: Buffer.alloc(0) }] = received
  const key_id = String(decodeProtectedHeader(token).kid)
  const { data: verification } = await plaid.webhookVerificationKeyGet({ ...client, key_id })
  const { payload } = await jwtVerify(token, await importJWK(verification.key as JWK, 'ES256'))

  expect(payload.request_body_sha256).toBe(createHash('sha256').update(rawBody).digest('hex'))
  expect(JSON.parse(rawBody.toString())).toMatchObject({ item_id: item.item_id, webhook_code })
})

it('links at the page of Hosted Link, whose user comes back to the application', async () => {
  await using bank = await createSimulation('plaid', { webhooks: false })
  const headers = { 'PLAID-CLIENT-ID': 'test', 'PLAID-SECRET': bank.key }
  const plaid = new PlaidApi(new Configuration({ basePath: bank.url, baseOptions: { headers } }))
  const { data } = await plaid.linkTokenCreate({
    client_name: 'Shop',
    language: 'en',
    country_codes: [CountryCode.Us],
    user: { client_user_id: 'u1' },
    products: [Products.Auth],
    hosted_link: { completion_redirect_uri: 'https://shop.example/done' },
  })
  const url = String(data.hosted_link_url)

  const shown = await fetch(url)
  const page = await shown.text()
  const interaction = String(/name="interaction" value="([^"]+)"/.exec(page)?.[1])
  const sent = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ interaction, institution_id: 'ins_109511' }),
    headers: { origin: new URL(url).origin, cookie: String(shown.headers.getSetCookie()[0]?.split(';')[0]) },
    redirect: 'manual',
  })
  const { link_sessions } = (await plaid.linkTokenGet({ link_token: data.link_token })).data

  expect(page).toContain('Tartan Bank')
  expect([sent.status, sent.headers.get('location')]).toEqual([303, 'https://shop.example/done'])
  expect(link_sessions?.[0]?.results?.item_add_results[0]?.institution?.name).toBe('Tartan Bank')
})
