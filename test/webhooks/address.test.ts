import { BlockList } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseIp } from '../../src/protocol/ip-range.ts'
import { isPublicAddress, isSameAddress } from '../../src/service/webhooks/address.ts'

/** An independent judge: Node's own block list, one for each family, since an IPv6 rule there also matches IPv4. */
const notPublic4 = new BlockList()
for (const range of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24',
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32',
].flatMap((line) => line.split(' '))) {
  const [net = '', bits] = range.split('/')
  notPublic4.addSubnet(net, Number(bits), 'ipv4')
}
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const special6 = new BlockList()
special6.addSubnet('2001::', 23, 'ipv6')
special6.addSubnet('2001:db8::', 32, 'ipv6')
special6.addSubnet('2002::', 16, 'ipv6')
special6.addSubnet('3fff::', 20, 'ipv6')

const isPublic4 = (address: string) => !notPublic4.check(address, 'ipv4')
const isPublic6 = (address: string) => global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')

/** Addresses around the edges of every range, which uniform draws would seldom hit. */
const edges4 = [0, 10, 100, 127, 128, 169, 172, 192, 198, 203, 224, 240, 255]
const octet = fc.oneof(
  fc.integer({ min: 0, max: 255 }),
  fc.constantFrom(0, 1, 15, 16, 31, 32, 63, 64, 99, 113, 127, 255),
)
const ipv4 = fc
  .tuple(fc.oneof(fc.constantFrom(...edges4), octet), octet, octet, octet)
  .map((octets) => octets.join('.'))
const group = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 1, 0x1fff, 0x2000, 0x2001, 0x2002, 0x3fff, 0x4000, 0xdb8, 0x1ff, 0x200, 0xfff, 0x1000),
)
const groups6 = fc.array(group, { minLength: 8, maxLength: 8 })
const ipv6 = groups6.map((groups) => groups.map((value) => value.toString(16)).join(':'))

it('judges every IPv4 address as an independent list of ranges does', () => {
  fc.assert(
    fc.property(ipv4, (address) => {
      expect(isPublicAddress(address)).toBe(isPublic4(address))
    }),
    { numRuns: 5_000 },
  )
})

it('judges every IPv6 address as an independent list of ranges does', () => {
  fc.assert(
    fc.property(ipv6, (address) => {
      expect(isPublicAddress(address)).toBe(isPublic6(address))
    }),
    { numRuns: 5_000 },
  )
})

it('judges every spelling of an IPv6 address alike', () => {
  fc.assert(
    fc.property(groups6, (groups) => {
      const long = groups.map((value) => value.toString(16).padStart(4, '0').toUpperCase()).join(':')
      const short = new URL(`https://[${long}]/`).hostname.slice(1, -1)

      expect(parseIp(short)).toEqual(parseIp(long))
      expect(isPublicAddress(short)).toBe(isPublicAddress(long))
      expect(isSameAddress(short, long)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

it('judges NAT64 by the IPv4 address inside, and refuses every other form that hides one', () => {
  fc.assert(
    fc.property(ipv4, (address) => {
      expect(isPublicAddress(`64:ff9b::${address}`)).toBe(isPublic4(address))
      for (const prefix of ['::ffff:', '::', '::ffff:0:', '64:ff9b:1::', 'fe80::', '::5efe:']) {
        expect(isPublicAddress(`${prefix}${address}`)).toBe(false)
      }
    }),
    { numRuns: 1_000 },
  )
})

it('takes nothing for public that is not an address', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom('', '8.8.8', '8.8.8.8.8', '08.8.8.8', '2606:4700::1111%eth0', ' 8.8.8.8')),
      (text) => {
        if (parseIp(text) === undefined) expect(isPublicAddress(text)).toBe(false)
      },
    ),
  )
})

it('keeps to the edges of the ranges', () => {
  const forbidden = [
    '172.16.0.0',
    '172.31.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '198.19.255.255',
    '168.63.129.16',
    '2001:1ff:ffff::1',
    '3fff:fff::1',
  ]
  const allowed = [
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '198.20.0.0',
    '168.63.129.17',
    '2001:200::1',
    '2003::1',
  ]

  expect(forbidden.filter(isPublicAddress)).toEqual([])
  expect(allowed.filter((address) => !isPublicAddress(address))).toEqual([])
})

it.each([
  ['this host', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '192.168.1.1'],
  ['shared by a carrier (CGNAT)', '100.64.0.1'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local', '169.254.1.1'],
  ['cloud metadata', '169.254.169.254'],
  ['the host of an Azure machine', '168.63.129.16'],
  ['protocol assignments', '192.0.0.8'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarking', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified IPv6', '::'],
  ['loopback IPv6', '::1'],
  ['link-local IPv6', 'fe80::1'],
  ['site-local IPv6', 'fec0::1'],
  ['unique local IPv6', 'fc00::1'],
  ['cloud metadata, IPv6', 'fd00:ec2::254'],
  ['multicast IPv6', 'ff02::1'],
  ['discard only', '100::1'],
  ['documentation IPv6', '2001:db8::1'],
  ['documentation IPv6', '3fff::1'],
  ['ORCHID', '2001:20::1'],
  ['benchmarking IPv6', '2001:2::1'],
  ['not handed out', '4000::1'],
  ['mapped, private inside', '::ffff:10.0.0.1'],
  ['mapped, public inside', '::ffff:8.8.8.8'],
  ['mapped in hexadecimal', '::ffff:7f00:1'],
  ['compatible', '::127.0.0.1'],
  ['translated', '::ffff:0:127.0.0.1'],
  ['NAT64, private inside', '64:ff9b::10.0.0.1'],
  ['NAT64, loopback inside, in hexadecimal', '64:ff9b::7f00:1'],
  ['NAT64 for local use', '64:ff9b:1::8.8.8.8'],
  ['6to4, loopback inside', '2002:7f00:1::'],
  ['6to4, public inside', '2002:808:808::'],
  ['Teredo', '2001:0:808:808::1'],
  ['ISATAP of a link', 'fe80::5efe:8.8.8.8'],
  ['with a zone', '2606:4700::1111%eth0'],
  ['octal', '0177.0.0.1'],
  ['octal that looks public', '010.8.8.8'],
  ['hexadecimal', '0x7f.0.0.1'],
  ['short', '127.1'],
  ['one number', '2130706433'],
  ['no address', 'localhost'],
])('refuses an address that is %s: %s', (_kind, address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2A00:1450::1', '64:ff9b::8.8.8.8', '64:ff9b::808:808'])(
  'takes %s for public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)
