import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { signWebhook, verifyWebhook } from '../../src/index.ts'
import { signBody, verifySignature } from '../../src/protocol/signature.ts'
import { WebhookVerificationError } from '../../src/protocol/webhook-verification-error.ts'

const SECRET = `whsec_${'0123456789abcdef'.repeat(4)}`
const BODY = Buffer.from('{"id":"1"}')
const T = 1_795_000_000
const HEX = 'a'.repeat(64)

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code
    throw error
  }
  return 'verified'
}

const verify = (
  header: string | readonly string[] | null | undefined,
  now = T * 1_000,
  rawBody: Uint8Array | string = BODY,
) => codeOf(() => verifySignature({ header, rawBody, secret: SECRET, now }))

it('signs as an independent HMAC does, and verifies what it signed', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 5_000 }),
      fc.string({ minLength: 1 }),
      fc.integer({ min: 1, max: 999_999_999_999 }),
      (rawBody, secret, t) => {
        const header = signBody({ rawBody, secret, t })
        const expected = createHmac('sha256', secret)
          .update(Buffer.concat([Buffer.from(`${t}.`), rawBody]))
          .digest('hex')

        expect(header).toBe(`t=${t},v1=${expected}`)
        expect(verifySignature({ header, rawBody, secret, now: t * 1_000 })).toEqual({
          t,
          v1: expected,
          skewSeconds: 0,
          secretIndex: 0,
        })
      },
    ),
  )
})

it('is what the stripe package verifies', () => {
  const rawBody = Buffer.from('{"id":"é✓😀\u2028"}')
  const t = Math.floor(Date.now() / 1_000)

  const event = Stripe.webhooks.constructEvent(rawBody, signBody({ rawBody, secret: SECRET, t }), SECRET)

  expect(event.id).toBe('é✓😀\u2028')
})

it('allows 300 seconds to either side, and not a moment more', () => {
  const header = signBody({ rawBody: BODY, secret: SECRET, t: T })

  expect(verify(header, (T + 300) * 1_000)).toBe('verified')
  expect(verify(header, (T - 300) * 1_000)).toBe('verified')
  expect(verify(header, (T + 300) * 1_000 + 1)).toBe('timestamp_out_of_tolerance')
  expect(verify(header, (T + 301) * 1_000)).toBe('timestamp_out_of_tolerance')
  expect(verify(header, (T - 301) * 1_000)).toBe('timestamp_out_of_tolerance')
  expect(verify(header, Number.NaN)).toBe('timestamp_out_of_tolerance')
})

it('says how far off a timestamp is, and to which side', () => {
  const header = signBody({ rawBody: BODY, secret: SECRET, t: T })

  expect(() => verifySignature({ header, rawBody: BODY, secret: SECRET, now: (T + 400) * 1_000 })).toThrow(
    'Failed to verify webhook: expected `t` to be within 300 seconds of the clock, got a time 400 s ago.',
  )
  expect(() => verifySignature({ header, rawBody: BODY, secret: SECRET, now: (T - 400.5) * 1_000 })).toThrow(
    'got a time 400.5 s ahead.',
  )
})

it('refuses any change of a byte, a secret or a timestamp', () => {
  const header = signBody({ rawBody: BODY, secret: SECRET, t: T })
  fc.assert(
    fc.property(fc.nat(BODY.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(BODY)
      changed[at] = (changed[at] as number) ^ flip

      expect(verify(header, T * 1_000, changed)).toBe('signature_mismatch')
    }),
  )
  expect(verify(header.replace(`t=${T}`, `t=${T + 1}`))).toBe('signature_mismatch')
  expect(codeOf(() => verifySignature({ header, rawBody: BODY, secret: SECRET.slice(6), now: T * 1_000 }))).toBe(
    'signature_mismatch',
  )
  expect(codeOf(() => verifySignature({ header, rawBody: BODY, secret: [], now: T * 1_000 }))).toBe(
    'signature_mismatch',
  )
})

it('takes any of several signatures against any of several secrets, and says which secret', () => {
  const header = `t=${T},v1=${HEX},${signBody({ rawBody: BODY, secret: 'new', t: T }).split(',')[1]}`

  const verified = verifySignature({ header, rawBody: BODY, secret: ['old', 'new'], now: T * 1_000 })

  expect(verified).toMatchObject({ secretIndex: 1, v1: header.slice(-64) })
})

it.each([
  ['no header', undefined, 'signature_missing'],
  ['null', null, 'signature_missing'],
  ['an empty header', '', 'signature_missing'],
  ['no lines', [], 'signature_missing'],
  ['two lines', [`t=1,v1=${HEX}`, `t=1,v1=${HEX}`], 'signature_malformed'],
  ['a space after the comma', `t=1, v1=${HEX}`, 'signature_malformed'],
  ['a trailing comma', `t=1,v1=${HEX},`, 'signature_malformed'],
  ['an item without =', `t=1,v1=${HEX},x`, 'signature_malformed'],
  ['two t', `t=1,t=1,v1=${HEX}`, 'signature_malformed'],
  ['a leading zero', `t=01,v1=${HEX}`, 'signature_malformed'],
  ['zero', `t=0,v1=${HEX}`, 'signature_malformed'],
  ['13 digits', `t=1795000000000,v1=${HEX}`, 'signature_malformed'],
  ['digits of another script', `t=١٢,v1=${HEX}`, 'signature_malformed'],
  ['no v1', 't=1,v0=x', 'signature_malformed'],
  ['63 digits', `t=1,v1=${HEX.slice(1)}`, 'signature_malformed'],
  ['65 digits', `t=1,v1=${HEX}a`, 'signature_malformed'],
  ['one bad v1 beside a good one', `t=1,v1=${HEX},v1=zz`, 'signature_malformed'],
  ['17 signatures', `t=1${`,v1=${HEX}`.repeat(17)}`, 'signature_malformed'],
  ['over 1024 characters', `t=1,v1=${HEX},x=${'x'.repeat(1_024)}`, 'signature_malformed'],
])('refuses %s', (_name, header, code) => {
  expect(verify(header)).toBe(code)
})

it('ignores keys that it does not know, whatever they hold', () => {
  const [t, v1] = signBody({ rawBody: BODY, secret: SECRET, t: T }).split(',')

  expect(verify(`v0=abc==,${v1},T=nonsense,${t},x-y=`)).toBe('verified')
})

it('reads a header exactly when it keeps to the grammar', () => {
  const item = fc.oneof(
    fc.constantFrom('t=1', `v1=${HEX}`, 't=', 'v1=', '=', '', ' t=1', 'v0=x', 't=1=1', `v1=${HEX.toUpperCase()}`),
    fc.string({ maxLength: 10 }),
  )
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), (items) => {
      const header = items.join(',')
      const parts = header.split(',')
      const isLegal =
        parts.every((part) => /^[A-Za-z0-9_.-]+=[\x21-\x2b\x2d-\x7e]*$/.test(part)) &&
        parts.filter((part) => part.startsWith('t=')).length === 1 &&
        parts.every((part) => !part.startsWith('t=') || /^t=[1-9][0-9]{0,11}$/.test(part)) &&
        parts.some((part) => part.startsWith('v1=')) &&
        parts.every((part) => !part.startsWith('v1=') || /^v1=[0-9a-f]{64}$/.test(part))

      expect(verify(header)).toBe(
        isLegal ? 'signature_mismatch' : header === '' ? 'signature_missing' : 'signature_malformed',
      )
    }),
    { numRuns: 3_000 },
  )
})

it('says what is wrong with the arguments', () => {
  const header = signBody({ rawBody: BODY, secret: SECRET, t: T })

  expect(() => verifySignature({ header, rawBody: { id: '1' } as never, secret: SECRET, now: T * 1_000 })).toThrow(
    'Expected `rawBody` to be the bytes or text as received, got object.',
  )
  expect(() => verifySignature({ header, rawBody: BODY, secret: '', now: T * 1_000 })).toThrow(
    /^Expected `secret` to be/,
  )
  expect(() => signBody({ rawBody: BODY, secret: SECRET, t: 1.5 })).toThrow(
    'Expected `t` to be unix seconds of at most 12 digits, got 1.5.',
  )
})

it('asks for the scheme where the header of the default one is not there, and reads it out of all headers', () => {
  const github = signWebhook({ scheme: 'github', type: 'issues.opened', rawBody: BODY, secret: SECRET })
  const headers = { 'Svc-Signature': signWebhook({ rawBody: BODY, secret: SECRET }) }
  const verifyHeaders = (given: object) => verifyWebhook({ headers: given, rawBody: BODY, secret: SECRET } as never)

  expect(() => verifyHeaders(github.headers)).toThrow(
    'Failed to verify webhook: it carries no `Svc-Signature` header. Is `scheme` the one that has signed it?',
  )
  expect(verifyHeaders(headers)).toMatchObject({ skewSeconds: expect.any(Number) })
})
