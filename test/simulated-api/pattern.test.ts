import { expect, it } from 'vitest'
import { toPatternTest } from '../../src/service/simulated-api/validation/pattern.ts'

it.each([
  ['^[a-z]+-[0-9]{2,4}$', 'abc-123', true],
  ['^[a-z]+-[0-9]{2,4}$', 'abc-1', false],
  ['\\p{L}+', 'é', true],
  ['(?i)^abc$', 'ABC', true],
  ['^(a|b)*c$', 'ababc', true],
])('tests %s', (source, text, expected) => {
  expect(toPatternTest(source)?.(text)).toBe(expected)
})

it('does not enforce what no engine runs in linear time', () => {
  expect(toPatternTest('^(?=.*[0-9]).+$')).toBeUndefined()
  expect(toPatternTest('(a)\\1')).toBeUndefined()
  expect(toPatternTest('(x{1,1000}){1,1000}')).toBeUndefined()
  expect(toPatternTest('[unclosed')).toBeUndefined()
})

it.each(['^(a+)+$', '^(a|aa)+$', '(.*)*x', '^(([a-z])+.)+[A-Z]([a-z])+$', 'a{1,512}a{1,512}a{1,512}b'])(
  'ends soon on %s',
  { timeout: 2_000 },
  (source) => {
    expect(toPatternTest(source)?.(`${'a'.repeat(20_000)}!`)).toBe(false)
  },
)
