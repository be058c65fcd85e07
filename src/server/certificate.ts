import { createHash, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { isIP } from 'node:net'
import type forge from 'node-forge'
import { systemRuntime } from '../runtime/runtime.ts'

/** A server's certificate with the authority that signed it, all PEM. */
export interface Certificate {
  /** The authority to trust. Other processes may have it. */
  ca: string
  /** The server's certificate, for `localhost`, 127.0.0.1 and ::1. */
  cert: string
  /** The server's private key. */
  key: string
}

type Forge = typeof forge
type Keys = { publicKey: KeyObject; privateKey: KeyObject }
interface Order {
  commonName: string
  keys: Keys
  issuer: { commonName: string; keys: Keys }
  extensions: object[]
}

const HOUR_MS = 3_600_000
const SEVEN_DAYS_MS = 7 * 24 * HOUR_MS
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const DNS_NAME = 2
const IP_ADDRESS = 7
/** Positions in a TBSCertificate (RFC 5280, 4.1) of fields that node-forge can write only for RSA. */
const TBS_SIGNATURE = 2
const TBS_PUBLIC_KEY = 6

// As an import, `node:util` loads what each of its exports needs: 5 ms of a first answer.
const generateKeys: () => Promise<Keys> = () =>
  process.getBuiltinModule('node:util').promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })

/**
 * Makes an authority and a server certificate for loopback. The authority's key is discarded.
 *
 * @param options.hosts further names and addresses of the server
 */
export async function createCertificate(options: { hosts?: readonly string[] } = {}): Promise<Certificate> {
  const { ca, issue } = await createAuthority()
  return { ca, ...issue(['localhost', '127.0.0.1', '::1', ...(options.hosts ?? [])]) }
}

/** An authority, valid from one hour ago for seven days. Its key is in memory alone. */
export interface Authority {
  /** PEM. */
  readonly ca: string
  /** The certificate of a server with these names and addresses, and its key, PEM. */
  readonly issue: (hosts: readonly string[]) => Pick<Certificate, 'cert' | 'key'>
}

/**
 * Makes an authority. The keys (P-256) come from `node:crypto` off the main thread, `node-forge` encodes the
 * certificates, `node:crypto` signs them.
 */
export async function createAuthority(): Promise<Authority> {
  const keys = [generateKeys(), generateKeys()] as const
  const { default: forge } = await import('node-forge')
  const issuer = { commonName: 'backlot test authority', keys: await keys[0] }
  const server = { commonName: 'localhost', keys: await keys[1] }
  const key = server.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const ca = issueCertificate(forge, {
    ...issuer,
    issuer,
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  const issue = (hosts: readonly string[]) => {
    const extensions = [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [...new Set(hosts)].map(toAlternativeName) },
    ]
    return { cert: issueCertificate(forge, { ...server, issuer, extensions }), key }
  }
  return { ca, issue }
}

function toAlternativeName(host: string): object {
  return isIP(host) ? { type: IP_ADDRESS, ip: host } : { type: DNS_NAME, value: host }
}

/** One certificate as PEM. Strict verifiers require both key identifiers, and an issuer equal to the authority's subject. */
function issueCertificate(forge: Forge, order: Order): string {
  const now = systemRuntime.clock.now()
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = placeholderKey(forge)
  certificate.serialNumber = `01${systemRuntime.secret(15)}`
  certificate.validity.notBefore = new Date(now - HOUR_MS)
  certificate.validity.notAfter = new Date(now + SEVEN_DAYS_MS)
  certificate.setSubject([{ name: 'commonName', value: order.commonName }])
  certificate.setIssuer([{ name: 'commonName', value: order.issuer.commonName }])
  certificate.setExtensions([
    ...order.extensions,
    { name: 'subjectKeyIdentifier', value: derOctets(forge, keyIdentifier(order.keys.publicKey)) },
    { name: 'authorityKeyIdentifier', keyIdentifier: keyIdentifier(order.issuer.keys.publicKey) },
  ])
  return sealCertificate(forge, certificate, order)
}

function sealCertificate(forge: Forge, certificate: forge.pki.Certificate, order: Order): string {
  const { asn1 } = forge
  const algorithm = sequence(forge, [
    asn1.create(asn1.Class.UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer(ECDSA_WITH_SHA256).getBytes()),
  ])
  const body = layOut(forge, certificate)
  const fields = body.value as forge.asn1.Asn1[]
  fields[TBS_SIGNATURE] = algorithm
  fields[TBS_PUBLIC_KEY] = asn1.fromDer(toBinary(order.keys.publicKey.export({ type: 'spki', format: 'der' })))
  const signature = sign('sha256', Buffer.from(asn1.toDer(body).getBytes(), 'latin1'), order.issuer.keys.privateKey)
  const bits = asn1.create(asn1.Class.UNIVERSAL, asn1.Type.BITSTRING, false, `\u0000${toBinary(signature)}`)
  const der = Buffer.from(asn1.toDer(sequence(forge, [body, algorithm, bits])).getBytes(), 'latin1')
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** The part to be signed. node-forge exposes it only through its own signature, which is discarded here. */
function layOut(forge: Forge, certificate: forge.pki.Certificate): forge.asn1.Asn1 {
  certificate.sign({ sign: () => '' } as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create())
  const [body] = forge.pki.certificateToAsn1(certificate).value as forge.asn1.Asn1[]
  return body as forge.asn1.Asn1
}

function sequence(forge: Forge, fields: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return forge.asn1.create(forge.asn1.Class.UNIVERSAL, forge.asn1.Type.SEQUENCE, true, fields)
}

function derOctets(forge: Forge, octets: string): forge.asn1.Asn1 {
  return forge.asn1.create(forge.asn1.Class.UNIVERSAL, forge.asn1.Type.OCTETSTRING, false, octets)
}

/** SHA-1 of the public key's bits (RFC 5280, 4.2.1.2), as node-forge's binary text. */
function keyIdentifier(publicKey: KeyObject): string {
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = [Buffer.of(4), Buffer.from(x ?? '', 'base64url'), Buffer.from(y ?? '', 'base64url')]
  return toBinary(createHash('sha1').update(Buffer.concat(point)).digest())
}

/** node-forge requires an RSA key while it encodes a certificate; `sealCertificate` inserts the real key. */
function placeholderKey(forge: Forge): forge.pki.rsa.PublicKey {
  return forge.pki.setRsaPublicKey(new forge.jsbn.BigInteger('3'), new forge.jsbn.BigInteger('3'))
}

function toBinary(bytes: Buffer): string {
  return bytes.toString('latin1')
}
