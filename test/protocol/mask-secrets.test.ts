import { expect, it } from 'vitest'
import { maskSecrets } from '../../src/protocol/mask-secrets.ts'

const SECRET = 'abcdef0123456789ABCDEF-_x'
const percent = (text: string) => text.replace(/[^a-z]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
const percentAll = (text: string) => text.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
const twice = (text: string) => percentAll(text).replaceAll('%', '%25')
const json = (text: string) => text.replace(/[^a-z]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

it.each([
  ['as they are', (text: string) => text],
  ['in upper case', (text: string) => text.toUpperCase()],
  ['percent-encoded in part', percent],
  ['percent-encoded', percentAll],
  ['percent-encoded twice', twice],
  ['as JSON escapes them', json],
])('masks keys and secrets %s', (_, encode) => {
  for (const start of ['svc_sim_', 'svc_acc_', 'whsec_']) {
    const masked = maskSecrets(`/a?k=${encode(start + SECRET)}&b=c`)

    expect(masked).toMatch(/^\/a\?k=.*…&b=c$/)
    expect(masked).not.toContain(encode(SECRET.slice(6)))
  }
})

it('leaves what is no key as it is', () => {
  const text = '/tasks?q=svc_simple%20%5f&x=whsecret&y=svc_sim_'

  expect(maskSecrets(text)).toBe(text)
})
