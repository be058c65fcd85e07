import { expect, it } from 'vitest'
import { maskChosenKey, maskHeader, maskSecrets } from '../../src/protocol/mask-secrets.ts'

const SECRET = 'abcdef0123456789ABCDEF-_x'

it.each([
  ['svc_sim_', 'svc_sim_abcdef'],
  ['svc_acc_', 'svc_acc_abcdef'],
  ['whsec_', 'whsec_'],
])('masks what begins with %s, in any case', (start, shown) => {
  expect(maskSecrets(`/a?k=${start}${SECRET}&b=c`)).toBe(`/a?k=${shown}…&b=c`)
  expect(maskSecrets(`{"k":"${(start + SECRET).toUpperCase()}"}`)).toBe(`{"k":"${shown.toUpperCase()}…"}`)
})

it('masks keys in HTTP Basic', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  expect(maskHeader(basic(`svc_sim_${SECRET}:`))).toBe(basic('svc_sim_abcdef…:'))
})

it.each([
  ['as they are', (text: string) => text],
  ['in a query', encodeURIComponent],
])('masks account keys of any form that a service was started with, %s', (_, encode) => {
  const key = 'Team-A:correct horse/battery'
  maskChosenKey(key)

  expect(maskSecrets(`{"a":"/x/${encode(key)}","b":1}`)).toBe('{"a":"/x/…","b":1}')
})

it('masks no chosen key that may be a word of any text', () => {
  maskChosenKey('tasks')

  expect(maskSecrets('/tasks')).toBe('/tasks')
})

it('does not change texts without a key', () => {
  const text = '/tasks?q=svc_simple%20%5f&x=whsecret&y=svc_sim_'

  expect(maskSecrets(text)).toBe(text)
})
