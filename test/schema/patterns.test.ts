import { expect, it } from 'vitest'
import { generateFromPattern } from '../../src/schema/generate-pattern.ts'
import { parsePattern } from '../../src/schema/parse-pattern.ts'
import { patternTest } from '../../src/schema/pattern-test.ts'

it.each([
  ['^[a-z]+-[0-9]{2,4}$', 'abc-123', true],
  ['^[a-z]+-[0-9]{2,4}$', 'abc-1', false],
  ['\\p{L}+', 'é', true],
  ['(?i)^abc$', 'ABC', true],
  ['^(a|b)*c$', 'ababc', true],
  ['^(?=.*[0-9])(?=.*[a-z]).{3,}$', 'abc1', true],
  ['^(?=.*[0-9])(?=.*[a-z]).{3,}$', 'abcd', false],
  ['^(?!https://)[a-z:/.]+$', 'https://x', false],
  ['^(?!https://)[a-z:/.]+$', 'ftp://x', true],
  ['^(?!a|b)', 'c', true],
  ['^(?!a|b)', 'b', false],
])('tests %s on %s', (source, text, expected) => {
  expect(patternTest(source)?.(text)).toBe(expected)
})

it('does not enforce what no engine runs in linear time', () => {
  const unsafe = [
    '^a(?=.*[0-9]).+$',
    '^(?=a)b|c',
    '^(?=(?!a)b)b$',
    '(?<=a)b',
    '(a)\\1',
    '(x{1,1000}){1,1000}',
    '[unclosed',
  ]

  expect(unsafe.filter((source) => patternTest(source) !== undefined)).toEqual([])
})

it.each(['^(a+)+$', '^(a|aa)+$', '(.*)*x', '^(([a-z])+.)+[A-Z]([a-z])+$', '^(?!.*(a+)+b)(?=(a*)*!)c'])(
  'ends soon on %s',
  (source) => {
    expect(patternTest(source)?.(`${'a'.repeat(20_000)}!`)).toBe(false)
  },
)

it('assumes that a long text matches a pattern of many parts', () => {
  const test = patternTest('a{1,512}a{1,512}a{1,512}b')

  expect(test?.('a'.repeat(100))).toBe(false)
  expect(test?.('a'.repeat(20_000))).toBe(true)
})

const PATTERNS = [
  '^[A-Z]{3}-\\d{4}$',
  '^(fldt_)[a-zA-Z0-9]+$',
  '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$',
  '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[1-2][0-9]|3[0-1])$',
  '(v{0,1})(stable|([0-9]+)(?:\\.([0-9]+))?)',
  '^(whsec_)?[a-zA-Z0-9+/=]{32,100}$',
  '^([01]\\d|2[0-3]):?([0-5]\\d)$',
  '^\\p{L}+$',
  '(?i)^(all|none)$',
  '^(?!https://)[a-zA-Z0-9@:%._+~#=/]{1,256}.(html?|pdf)$',
]

it.each(PATTERNS)('makes texts that match %s, by the native engine and by our own test', (pattern) => {
  const node = parsePattern(pattern)
  if (!node) throw new Error('Expected the pattern to be read.')
  const native = pattern.startsWith('(?i)') ? new RegExp(pattern.slice(4), 'iu') : new RegExp(pattern, 'u')
  const test = patternTest(pattern)

  for (let key = 0; key < 50; key++) {
    const text = generateFromPattern(node, key, 8)
    expect(text).toMatch(native)
    expect(test?.(text)).toBe(true)
  }
})

it('says the same of texts as the native engine', () => {
  const texts = ['', 'a', 'ab', 'abc-12', '2026-13-01', '2026-12-01', '#fff', '#ffff', 'v1.2', '09:30', 'x y', 'ä']
  for (const pattern of PATTERNS.filter((source) => !source.startsWith('(?i)'))) {
    const test = patternTest(pattern)
    for (const text of texts)
      expect([pattern, text, test?.(text)]).toEqual([pattern, text, new RegExp(pattern, 'u').test(text)])
  }
})

it('reads no pattern with back references, and none that is broken', () => {
  const read = ['(a)\\1', '(', '[z-a]', 'a{2,1}', '*', '\\p{Nonsense}'].map((pattern) => parsePattern(pattern))

  expect(read.every((node) => node === undefined)).toBe(true)
})

it.each([
  ['^https://files.acme.com/[a-z]{3}(.pdf|.png)$', /^https:\/\/files\.acme\.com\/[a-z]{3}\.(pdf|png)$/],
  ['^.{4}$', /^[^.]/],
])('writes a dot for one that was meant: %s', (source, expected) => {
  const pattern = parsePattern(source)
  expect(pattern && generateFromPattern(pattern, 7, 4)).toMatch(expected)
})
