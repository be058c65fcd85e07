import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { makeSecret } from '../../src/protocol/webhook-scheme/keys.ts'
import { getPreset, PRESET_NAMES } from '../../src/protocol/webhook-scheme/presets.ts'
import { WebhookVerificationError } from '../../src/protocol/webhook-verification-error.ts'
import { systemRuntime } from '../../src/runtime/runtime.ts'
import { defineScheme } from '../../src/sink/scheme-choice.ts'
import { verifyWebhook } from '../../src/sink/verify.ts'
import { startSink } from '../../src/sink/webhook-sink.ts'
import { callSink } from './sink-client.ts'

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url')
/** An object that `String` throws for. */
const TEXTLESS = { toString: 1, valueOf: 1 }
const TOKEN = `${encode({ alg: 'ES256' })}.${encode({ iat: TEXTLESS })}.${encode('x')}`
const SECRETS = new Map(PRESET_NAMES.map((name) => [name, makeSecret(getPreset(name).scheme, systemRuntime.secret)]))

const texts = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  fc.constantFrom('', '=', 't=1,v1=', 't=1', 'sha256=', 'v1,', 'v1,AAAA', 'a.b.c', '%', '%zz', '0', '1', '-1', TOKEN),
)
const bodies = fc.oneof(
  fc.json(),
  fc.string(),
  fc.constantFrom('', 'null', '[]', '{', '\ufeff{}', JSON.stringify(TEXTLESS), JSON.stringify({ signature: TEXTLESS })),
)

it('fails with nothing but a verification error, whatever comes, in every scheme', () => {
  const requests = fc.record({ scheme: fc.constantFrom(...PRESET_NAMES), text: texts, rawBody: bodies })
  fc.assert(
    fc.property(requests, ({ scheme, text, rawBody }) => {
      const { secret = '' } = SECRETS.get(scheme) ?? {}
      try {
        verifyWebhook({ scheme, headers: { get: () => text }, rawBody, secret, url: 'https://app.example/hook' })
      } catch (error) {
        expect(error).toBeInstanceOf(WebhookVerificationError)
      }
    }),
    { numRuns: 5_000, examples: [[{ scheme: 'plaid', text: TOKEN, rawBody: '{}' }]] },
  )
})

it.each([
  ['a name that is no percent-encoding', { 'backlot-record': '%zz/1', 'backlot-delivery': crypto.randomUUID() }, '{}'],
  ['a record whose id is no text', {}, JSON.stringify({ id: TEXTLESS })],
])('answers %s, and goes on', async (_, headers, body) => {
  const sink = await startSink()
  onTestFinished(() => sink.close())
  const path = sink.open()
  path.trust({ webhookId: 'w', secret: 'x', scheme: await defineScheme({ algorithm: 'none', headers: {} }) })

  const answer = await callSink(sink, {
    path: new URL(path.url).pathname,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

  expect(answer.status).toBeLessThan(500)
})
