import { expect, it } from 'vitest'
import { LISTENERS, openListener } from './listeners.ts'

const HOST = 'Host: localhost\r\n'
const GET = `GET / HTTP/1.1\r\n${HOST}`
const POST = `POST / HTTP/1.1\r\n${HOST}`
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n`
const SMUGGLED = `GET /smuggled HTTP/1.1\r\n${HOST}\r\n`

/** What each listener refuses before it looks whom it is for, and ends the connection with (RFC 9112). */
const REFUSED: readonly [what: string, status: number, bytes: string][] = [
  ['HTTP/0.9', 400, 'GET /\r\n\r\n'],
  ['HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['no host', 400, 'GET / HTTP/1.1\r\n\r\n'],
  ['two hosts', 400, `${GET}Host: b\r\n\r\n`],
  ['a host with a space before the colon', 400, 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
  ['a folded line', 400, `${GET}X: 1\r\n 2\r\n\r\n`],
  ['a bare CR', 400, `${GET}X: a\rY: b\r\n\r\n`],
  ['a bare LF', 400, `${GET}X: a\nY: b\r\n\r\n`],
  ['a zero byte', 400, `${GET}X: a\0b\r\n\r\n`],
  ['a line without a name', 400, `${GET}: a\r\n\r\n`],
  ['a path without a slash', 400, `GET v1 HTTP/1.1\r\n${HOST}\r\n`],
  ['two transfer codings', 400, `${CHUNKED}Transfer-Encoding: identity\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['chunked twice', 400, `${CHUNKED}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['a length beside chunks', 400, `${CHUNKED}Content-Length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['two lengths', 400, `${POST}Content-Length: 0\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`],
  ['a signed length', 400, `${POST}Content-Length: +0\r\n\r\n${SMUGGLED}`],
  ['a length past all numbers', 400, `${POST}Content-Length: 99999999999999999999\r\n\r\n`],
  ['an expectation that nobody meets', 417, `${POST}Expect: a-pony\r\nContent-Length: 60\r\n\r\n${SMUGGLED}`],
  ['3,000 lines', 431, `${GET}${'A: b\r\n'.repeat(3_000)}\r\n`],
]

it.each(LISTENERS)('refuses an invalid request, ignores what follows it, and keeps working: %s', async (listener) => {
  const send = await openListener(listener)

  const answers = await Promise.all(REFUSED.map(async ([what, , bytes]) => [what, statusesOf(await send(bytes))]))
  const sound = await send(`GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)

  expect(answers).toEqual(REFUSED.map(([what, status]) => [what, [status]]))
  expect(sound).toMatch(/^HTTP\/1.1 40[134] /)
})

/** Broken bodies: a sender that is refused before the body is read receives that reason instead. */
const BROKEN: readonly [what: string, bytes: string][] = [
  ['an extension of a chunk of 1 MB', `${CHUNKED}\r\n1;${'a'.repeat(1_000_000)}\r\nx\r\n0\r\n\r\n`],
  ['a chunk past all numbers', `${CHUNKED}\r\nFFFFFFFFFFFFFFFFF\r\nx`],
  ['a chunk below zero', `${CHUNKED}\r\n-1\r\nx`],
  ['chunks that end in a bare LF', `${CHUNKED}\r\n1\nx\n0\n\n${SMUGGLED}`],
  ['trailers of 1 MB', `${CHUNKED}\r\n0\r\n${'T: aaaaaaaaaa\r\n'.repeat(60_000)}\r\n${SMUGGLED}`],
]

it.each(LISTENERS)('ends a connection that brings a broken body: %s', async (listener) => {
  const send = await openListener(listener)

  const answers = await Promise.all(BROKEN.map(async ([what, bytes]) => [what, statusesOf(await send(bytes))] as const))

  for (const [what, statuses] of answers) expect([what, statuses.filter((status) => status < 400)]).toEqual([what, []])
  expect(await send(`GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 40[134] /)
})

const statusesOf = (text: string): number[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
