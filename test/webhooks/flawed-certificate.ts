import { generateKeyPairSync } from 'node:crypto'
import forge from 'node-forge'
import type { Certificate } from '../../src/server/certificate.ts'

const HOUR_MS = 3_600_000
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

/** A self-signed certificate, its own authority, with whatever flaw a test wants. */
export function makeFlawedCertificate(
  flaw: {
    fromHours?: number
    toHours?: number
    altNames?: readonly { type: number; value?: string; ip?: string }[]
  } = {},
): Certificate {
  const { fromHours = -1, toHours = 24, altNames = [{ type: 7, ip: '127.0.0.1' }] } = flaw
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }) as string)
  certificate.serialNumber = '01'
  certificate.validity.notBefore = new Date(Date.now() + fromHours * HOUR_MS)
  certificate.validity.notAfter = new Date(Date.now() + toHours * HOUR_MS)
  certificate.setSubject([{ name: 'commonName', value: 'flawed' }])
  certificate.setIssuer([{ name: 'commonName', value: 'flawed' }])
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create())
  const cert = forge.pki.certificateToPem(certificate)
  return { ca: cert, cert, key }
}
