import { expect, it } from 'vitest'
import { canonicalIp, isInRanges, parseIpRange, parseIpRanges } from '../../src/protocol/ip-range.ts'

const contains = (range: string, ip: string) => isInRanges(ip, [parseIpRange(range)])

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['2001:DB8:0:0:1::/64', '2001:db8::/64'],
  ['2001:0db8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
  ['::', '::'],
  ['::1/128', '::1'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
])('writes %s as %s', (text, canonical) => {
  expect(parseIpRange(text).text).toBe(canonical)
})

it.each([
  '',
  'localhost',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '256.1.1.1',
  '1.2.3.4/33',
  '1.2.3.4/-1',
  '1.2.3.4/',
  '1.2.3.4/08',
  '1.2.3.4/8/8',
  '::1/129',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '12345::',
  '1.2.3.4::',
  '::ffff:10.0.0.0/64',
])('refuses %j and names the entry', (text) => {
  expect(() => parseIpRanges(['10.0.0.1', text])).toThrow(
    `Expected \`ipAllowlist[1]\` to be an IP address or a CIDR range, got ${JSON.stringify(text)}.`,
  )
})

it('keeps each range once, in the order given', () => {
  const ranges = parseIpRanges(['10.0.0.1', '192.168.1.5/16', '::ffff:10.0.0.1', '192.168.0.0/16'])

  expect(ranges.map(({ text }) => text)).toEqual(['10.0.0.1', '192.168.0.0/16'])
})

it.each([
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['0.0.0.0/0', '203.0.113.8', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['::/0', '203.0.113.8', false],
  ['::/0', '2001:db8::1', true],
  ['2001:db8::/33', '2001:db8:7fff::1', true],
  ['2001:db8::/33', '2001:db8:8000::1', false],
  ['fe80::1', 'fe80::1%eth0', true],
  ['10.0.0.0/8', 'no address', false],
])('says whether %s holds %s: %s', (range, ip, expected) => {
  expect(contains(range, ip)).toBe(expected)
})

it('reads no zone behind an IPv4 address', () => {
  expect(canonicalIp('10.0.0.1%eth0')).toBeUndefined()
})

it('knows one spelling of an address, and none of other texts', () => {
  expect(['::FFFF:7f00:1', 'FE80::1%lo', '127.0.0.1', 'x'].map(canonicalIp)).toEqual([
    '127.0.0.1',
    'fe80::1',
    '127.0.0.1',
    undefined,
  ])
})
