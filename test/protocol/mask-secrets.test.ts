import { expect, it } from 'vitest'
import { maskChosenKey, maskSecrets } from '../../src/protocol/mask-secrets.ts'

const SECRET = 'abcdef0123456789ABCDEF-_x'
const percent = (text: string) => text.replace(/[^a-z]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
const percentAll = (text: string) => text.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
const twice = (text: string) => percentAll(text).replaceAll('%', '%25')
const json = (text: string) => text.replace(/[^a-z]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
const quotedTwice = (text: string) => json(text).replaceAll('\\', '\\\\')
const utf16 = (text: string) => [...text].join('\0')
const utf16Escaped = (text: string) => json(utf16(text))
const jsonPercent = (text: string) => percentAll(text).replaceAll('%', '\\u0025')
const percentJson = (text: string) => percentAll(json(text))
const braced = (text: string) => text.replace(/./g, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`)
const script = (text: string) => text.replace(/./g, (c) => `\\x${c.charCodeAt(0).toString(16)}`)
const oldPercent = (text: string) => text.replace(/./g, (c) => `%u00${c.charCodeAt(0).toString(16)}`)
const htmlPercent = (text: string) => percentAll(text).replaceAll('%', '&#37;')
const html = (text: string) => text.replace(/[^a-z]/g, (c) => `&#${c.charCodeAt(0)};`)
const htmlHex = (text: string) => text.replace(/./g, (c) => `&#x${c.charCodeAt(0).toString(16)};`)

it.each([
  ['as they are', (text: string) => text],
  ['in upper case', (text: string) => text.toUpperCase()],
  ['percent-encoded in part', percent],
  ['percent-encoded', percentAll],
  ['percent-encoded twice', twice],
  ['as JSON escapes them', json],
  ['as JSON in JSON escapes them', quotedTwice],
  ['as HTML escapes them', html],
  ['as HTML escapes them in hexadecimal digits', htmlHex],
  ['in UTF-16', utf16],
  ['in UTF-16 as JSON escapes it', utf16Escaped],
  ['percent-encoded with escaped percent signs', jsonPercent],
  ['as JSON escapes them, percent-encoded', percentJson],
  ['in braces', braced],
  ['as scripts escape them', script],
  ['as old browsers encode them', oldPercent],
  ['percent-encoded with percent signs as HTML escapes them', htmlPercent],
])('masks keys and secrets %s', (_, encode) => {
  for (const start of ['svc_sim_', 'svc_acc_', 'whsec_']) {
    const masked = maskSecrets(`/a?k=${encode(start + SECRET)}&b=c`)

    expect(masked).toMatch(/^\/a\?k=.*…&b=c$/)
    expect(masked).not.toContain(encode(SECRET.slice(6)))
  }
})

it.each([
  ['base64', 'base64'],
  ['base64url', 'base64url'],
  ['hexadecimal digits', 'hex'],
] as const)('masks keys and secrets in %s, wherever they begin', (_, encoding) => {
  for (const start of ['svc_sim_', 'svc_acc_', 'whsec_']) {
    for (const before of ['', 'u', 'u:', 'user:', '\u00ff\u00fe?']) {
      const encoded = Buffer.from(`${before}${start}${SECRET}:after`, 'latin1').toString(encoding)

      const masked = maskSecrets(`{"a":"/x/${encoded}","b":1}`)

      const shown = /"\/x\/(.*)","b":1\}$/.exec(masked)?.[1] ?? ''
      expect(Buffer.from(shown, encoding).toString('latin1')).toMatch(/(svc_(sim|acc)_abcdef|whsec_)\.\.\.:after$/)
    }
  }
})

it.each([
  ['as they are', (text: string) => text],
  ['percent-encoded', percentAll],
  ['in UTF-16 as JSON escapes it', utf16Escaped],
  ['in base64', (text: string) => Buffer.from(`me:${text}`).toString('base64')],
  ['in base64 that is percent-encoded', (text: string) => percentAll(Buffer.from(`me:${text}`).toString('base64'))],
  ['in hexadecimal digits', (text: string) => Buffer.from(text).toString('hex')],
])('masks account keys of any form that a service was started with, %s', (_, encode) => {
  const key = 'Team-A:correct horse/battery'
  maskChosenKey(key)

  const masked = maskSecrets(`{"a":"/x/${encode(key)}","b":1}`)

  expect(masked).not.toContain(encode(key).slice(2, -2))
  expect(masked).toMatch(/^{"a":"\/x\/.*","b":1}$/)
})

it('masks no chosen key that may be a word of any text', () => {
  maskChosenKey('tasks')

  expect(maskSecrets('/tasks')).toBe('/tasks')
})

it('leaves other base64 and digits as they are', () => {
  const text = `${Buffer.from('svc_simple things that are long enough').toString('base64')} ${'7376635f'.repeat(9)} ${'A'.repeat(99)}`

  expect(maskSecrets(text)).toBe(text)
})

it('does not change texts without a key', () => {
  const text = '/tasks?q=svc_simple%20%5f&x=whsecret&y=svc_sim_'

  expect(maskSecrets(text)).toBe(text)
})

it.each(['\\', '%25', '%', '&#0', 's%5c', 'svc_', 'c3ZjX', 'A', '7376635f', 'whsec_%'])(
  'looks through many %s at once',
  (part) => {
    const text = part.repeat(65_536 / part.length)

    expect(maskSecrets(text)).toBe(text)
  },
)
