import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type FieldFacts, formatMaker, formatTest } from '../../src/schema/formats.ts'

/**
 * Texts and whether they are of the format. `wide`: only a request may carry it. Marked with `*`: the two old tables
 * disagreed; the standard that the format names decides.
 */
const PROBES: Readonly<
  Record<string, readonly (readonly [text: string, verdict: true | false | 'wide', old?: '*'])[]>
> = {
  'date-time': [
    ['2026-01-01T00:00:00Z', true],
    ['2026-01-01t10:00:00.5z', true],
    ['2026-01-01 10:00:00Z', true],
    ['2026-01-01T10:00:00+01:00', true],
    ['2026-01-01T10:00:00+0100', true],
    ['2026-01-01T10:00:60Z', true],
    ['2026-01-01T25:00:00Z', false, '*'],
    ['2026-01-01T10:61:00Z', false, '*'],
    ['2026-01-01T10:00:00+01:', false, '*'],
    ['2026-02-30T10:00:00Z', false],
    ['2026-01-01T10:00:00', 'wide'],
    ['2026-01-01', 'wide'],
    ['', false],
  ],
  date: [
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['2026-1-1', false],
  ],
  time: [
    ['10:00:00Z', true],
    ['23:59:60.5+01:00', true],
    ['25:00:00Z', false, '*'],
    ['10:61:00Z', false, '*'],
    ['10:00:00', true],
    ['10:00', false],
  ],
  duration: [
    ['P1D', true],
    ['PT5M', true],
    ['P1Y2M3DT4H5M6S', true],
    ['P2W', true],
    ['PT0.5S', 'wide', '*'],
    ['P2W3D', 'wide', '*'],
    ['P', false, '*'],
    ['P1DT', false, '*'],
    ['5m', false, '*'],
  ],
  email: [
    ["o'brien+x@example.com", true],
    ['a@localhost', true, '*'],
    ['ä@example.com', 'wide', '*'],
    ['a@-b.de', false, '*'],
    ['a b@example.com', false],
    ['a@b_c.de', false],
  ],
  uri: [
    ['https://example.com/a?b#c', true],
    ['urn:a:b', true],
    ['//example.com', false],
    ['http://a b', false],
  ],
  url: [
    ['https://example.com', true],
    ['mailto:x@example.com', true, '*'],
    ['example.com', false, '*'],
    ['/path', false, '*'],
  ],
  'uri-reference': [
    ['/a/b', true],
    ['', true],
    ['a b', false],
  ],
  hostname: [
    ['example.com', true],
    ['localhost', true],
    ['example.com.', 'wide', '*'],
    ['-a.example.com', false, '*'],
    ['a-.example.com', false, '*'],
    [`${'x'.repeat(64)}.com`, false, '*'],
    ['a_b.com', false],
  ],
  ipv4: [
    ['192.0.2.1', true],
    ['01.2.3.4', true],
    ['256.1.1.1', false],
    ['1.2.3', false],
  ],
  ipv6: [
    ['2001:db8::1', true],
    ['::', true],
    ['g::1', false],
    ['192.0.2.1', false],
  ],
  byte: [
    ['YQ==', true],
    ['YQ', false],
  ],
  uuid: [
    ['123e4567-e89b-12d3-a456-426614174000', true],
    ['urn:uuid:123e4567-e89b-12d3-a456-426614174000', true],
    ['123e4567e89b12d3a456426614174000', false],
  ],
}

const rows = Object.entries(PROBES).flatMap(([format, probes]) =>
  probes.map(([text, verdict]) => ({ format, text, verdict })),
)

it.each(rows)('says of $format whether $text is one: $verdict', ({ format, text, verdict }) => {
  expect(formatTest(format, 'strict')?.(text)).toBe(verdict === true)
  expect(formatTest(format, 'lenient')?.(text)).toBe(verdict !== false)
})

it('says the same of a text whatever it was asked before', () => {
  const isMoment = formatTest('date-time', 'strict')

  const answers = ['', '2026-11-21T08:00:00Z', ''].map((text) => isMoment?.(text))

  expect(answers).toEqual([false, true, false])
})

it('enforces no format that it does not know', () => {
  expect(formatTest('ppaas_date_time_v3', 'strict')).toBeUndefined()
  expect(formatTest('constructor', 'strict')).toBeUndefined()
  expect(formatMaker('constructor')).toBeUndefined()
})

it.each(Object.keys(PROBES))('makes texts of %s that keep its own check', (format) => {
  const [make, check] = [formatMaker(format), formatTest(format, 'strict')]

  fc.assert(
    fc.property(fc.nat(0xffff_ffff), fc.integer({ min: -1e12, max: 4e12 }), (draw, moment) => {
      expect(check?.(make?.(factsOf(draw, moment), undefined) ?? '')).toBe(true)
    }),
  )
})

it('writes makers in either case', () => {
  expect(formatMaker('UUID')).toBeDefined()
})

function factsOf(draw: number, moment: number): FieldFacts<undefined> {
  return {
    draw: () => draw,
    moment: () => moment,
    uuid: () => '123e4567-e89b-12d3-a456-426614174000',
    email: () => 'maya.fischer@example.com',
    url: () => 'https://api.example.com/tasks/1',
    domain: () => 'kestrel-logistics.example.com',
    phone: () => '+49309018200',
    price: () => '49.90',
    colour: () => '#0f766e',
    countryCode: () => 'DE',
    currencyCode: () => 'EUR',
  }
}
