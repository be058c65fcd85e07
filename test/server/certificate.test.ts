import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { type AddressInfo, isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createCertificate } from '../../src/server/certificate.ts'

const run = promisify(execFile)
const HOUR_MS = 3_600_000

it('makes a server certificate for loopback that its authority has signed', async () => {
  const { ca, cert } = await createCertificate()
  const [authority, server] = [new X509Certificate(ca), new X509Certificate(cert)]

  expect(server.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
  expect(server.verify(authority.publicKey)).toBe(true)
  expect(server.checkIssued(authority)).toBe(true)
  expect([authority.ca, server.ca]).toEqual([true, false])
  expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
})

it('is valid from one hour ago for seven days', async () => {
  const now = Date.now()
  const server = new X509Certificate((await createCertificate()).cert)

  expect(Math.abs(Date.parse(server.validFrom) - (now - HOUR_MS))).toBeLessThan(60_000)
  expect(Math.abs(Date.parse(server.validTo) - (now + 7 * 24 * HOUR_MS))).toBeLessThan(60_000)
})

it('names further hosts when asked to', async () => {
  const { cert } = await createCertificate({ hosts: ['hooks.example.org', '192.0.2.7', 'localhost'] })

  const names = new X509Certificate(cert).subjectAltName
  expect(names).toBe(
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:hooks.example.org, IP Address:192.0.2.7',
  )
})

it.each(['127.0.0.1', 'localhost'])(
  'is accepted by a client that trusts the authority and asks for %s',
  async (host) => {
    const { ca, cert, key } = await createCertificate()
    const server = createServer({ cert, key })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo

    const socket = connect({ host: '127.0.0.1', port, ca, ...(isIP(host) ? {} : { servername: host }) })
    const isAuthorised = await new Promise((resolve, reject) => {
      socket.once('secureConnect', () => resolve(socket.authorized))
      socket.once('error', reject)
    })

    expect(isAuthorised).toBe(true)
    socket.destroy()
    server.close()
  },
)

const hasOpenssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
)

it.skipIf(!hasOpenssl)('passes the strict checks of openssl (skipped where there is none)', async () => {
  const { ca, cert } = await createCertificate()
  const folder = await mkdtemp(join(tmpdir(), 'backlot-'))
  try {
    await writeFile(join(folder, 'ca.pem'), ca)
    await writeFile(join(folder, 'server.pem'), cert)
    const trust = ['-CAfile', join(folder, 'ca.pem'), join(folder, 'server.pem')]

    const verdict = await run('openssl', [
      'verify',
      '-x509_strict',
      '-purpose',
      'sslserver',
      '-verify_ip',
      '127.0.0.1',
      ...trust,
    ])

    expect(verdict.stdout).toMatch(/: OK\n$/)
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('makes another authority each time', async () => {
  const [first, second] = await Promise.all([createCertificate(), createCertificate()])

  expect(first.ca).not.toBe(second.ca)
  expect(new X509Certificate(first.cert).verify(new X509Certificate(second.ca).publicKey)).toBe(false)
})
