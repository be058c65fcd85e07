import { createHash, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { parseIp } from '../protocol/ip-range.ts'
import { systemRuntime } from '../runtime/runtime.ts'

/** A server's certificate with the authority that it was signed by, all PEM. The authority's key is thrown away. */
export interface Certificate {
  /** The authority to trust. May be handed to other processes. */
  ca: string
  /** The server's certificate, for `localhost`, 127.0.0.1 and ::1. */
  cert: string
  /** The server's private key. */
  key: string
}

interface Party {
  commonName: string
  publicKey: KeyObject
  privateKey: KeyObject
}

const HOUR_MS = 3_600_000
const SEVEN_DAYS_MS = 7 * 24 * HOUR_MS

/** Object identifiers (X.660) as DER writes them. */
const OID = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectKeyIdentifier: '551d0e',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  authorityKeyIdentifier: '551d23',
  extKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
} as const

/**
 * Makes an authority and a server certificate for loopback, valid from one hour ago for seven days. The keys (P-256) come
 * from `node:crypto` off the main thread.
 *
 * @param options.hosts further names and addresses that the server answers to
 */
export async function createCertificate(options: { hosts?: readonly string[] } = {}): Promise<Certificate> {
  const [authority, server] = await Promise.all([createParty('backlot test authority'), createParty('localhost')])
  const hosts = new Set(['localhost', '127.0.0.1', '::1', ...(options.hosts ?? [])])
  const ca = issueCertificate(authority, authority, [
    extension(OID.basicConstraints, sequence(TRUE, integer('00')), { critical: true }),
    // keyCertSign and cRLSign
    extension(OID.keyUsage, der(0x03, '0106'), { critical: true }),
  ])
  const cert = issueCertificate(server, authority, [
    extension(OID.basicConstraints, sequence(), { critical: true }),
    // digitalSignature
    extension(OID.keyUsage, der(0x03, '0780'), { critical: true }),
    extension(OID.extKeyUsage, sequence(oid(OID.serverAuth))),
    extension(OID.subjectAltName, sequence(...[...hosts].map(toGeneralName))),
  ])
  return { ca, cert, key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

async function createParty(commonName: string): Promise<Party> {
  return { commonName, ...(await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })) }
}

/**
 * One certificate (RFC 5280, 4.1) as PEM. Strict verifiers want both key identifiers, and the leaf's authority equal to the
 * issuer's.
 */
function issueCertificate(subject: Party, issuer: Party, extensions: readonly Buffer[]): string {
  const now = systemRuntime.clock.now()
  const algorithm = sequence(oid(OID.ecdsaWithSha256))
  const body = sequence(
    der(0xa0, integer('02')),
    integer(`01${systemRuntime.secret(15)}`),
    algorithm,
    toName(issuer),
    sequence(toTime(now - HOUR_MS), toTime(now + SEVEN_DAYS_MS)),
    toName(subject),
    toSpki(subject),
    der(
      0xa3,
      sequence(
        ...extensions,
        extension(OID.subjectKeyIdentifier, der(0x04, keyIdentifier(subject))),
        extension(OID.authorityKeyIdentifier, sequence(der(0x80, keyIdentifier(issuer)))),
      ),
    ),
  )
  const certificate = sequence(body, algorithm, der(0x03, '00', sign('sha256', body, issuer.privateKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function toName({ commonName }: Party): Buffer {
  return sequence(der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from(commonName)))))
}

/** Two digits for the year: RFC 5280 wants it so until 2049. */
function toTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '')
  return der(0x17, Buffer.from(digits.slice(2)))
}

function toSpki({ publicKey }: Party): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' })
}

/** SHA-1 of the public key's bits (RFC 5280, 4.2.1.2): the last 65 bytes, an uncompressed point of P-256. */
function keyIdentifier(party: Party): Buffer {
  return createHash('sha1').update(toSpki(party).subarray(-65)).digest()
}

function toGeneralName(host: string): Buffer {
  const ip = parseIp(host)
  if (ip === undefined) return der(0x82, Buffer.from(host))
  return der(0x87, ip.value.toString(16).padStart(ip.bits / 4, '0'))
}

function extension(id: string, value: Buffer, { critical = false } = {}): Buffer {
  return sequence(oid(id), ...(critical ? [TRUE] : []), der(0x04, value))
}

/** A value in DER (X.690): its tag, its length and its contents, bytes or hexadecimal digits. */
function der(tag: number, ...contents: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(contents.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)))
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), body])
}

const TRUE = der(0x01, 'ff')

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function integer(hex: string): Buffer {
  return der(0x02, hex)
}

function oid(hex: string): Buffer {
  return der(0x06, hex)
}
