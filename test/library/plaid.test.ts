import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose'
import { Configuration, PlaidApi, Products, SandboxItemFireWebhookRequestWebhookCodeEnum } from 'plaid'
import { expect, it, onTestFinished } from 'vitest'
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
