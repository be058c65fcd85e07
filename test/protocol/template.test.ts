import fc from 'fast-check'
import { expect, it } from 'vitest'
import { defineScheme, verifyWebhook } from '../../src/index.ts'
import { parseTemplate, readTemplate } from '../../src/protocol/template.ts'

const texts = fc.string({ unit: fc.constantFrom('a', '.', ','), maxLength: 8 })
const templates = fc
  .array(fc.oneof(fc.constant('{v}'), fc.constantFrom('.', ',', '..', 'a.')), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''))

/** What a pattern with groups reads, which takes long where nothing fits. */
function readByPattern(template: string, text: string): string[] | undefined {
  const source = template.replaceAll('.', '\\.').replaceAll('{v}', '(.+)')
  return new RegExp(`^${source}$`).exec(text)?.slice(1)
}

it('reads the values of a template as a pattern with greedy groups does', () => {
  fc.assert(
    fc.property(templates, texts, (template, text) => {
      expect(readTemplate(parseTemplate(template), text)).toEqual(readByPattern(template, text))
    }),
    { numRuns: 20_000 },
  )
})

it('refuses a long header that fits no template', async () => {
  const scheme = await defineScheme({
    algorithm: 'hmac-sha256',
    content: '{id}{type}{t}{body}',
    headers: { 'X-Signature': 'k {id}.{type}.{t}.{signature}.' },
  })
  const headers = { 'x-signature': `k ${'.'.repeat(1_000)}x` }

  expect(() => verifyWebhook({ scheme, headers, rawBody: '{}', secret: 'secret' })).toThrow(
    'expected `X-Signature` to have the form `k {id}.{type}.{t}.{signature}.`',
  )
})
