import { expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'
import { connectRaw } from './raw-client.ts'

it('answers requests that arrive together each to its own client, those of one client in order', async () => {
  const { create } = await startForTest()
  const made = await create()
  const port = Number(new URL(made.url).port)
  const clients = await Promise.all(Array.from({ length: 70 }, () => connectRaw(port)))
  const head = `HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${made.apiKey}\r\n`
  const post = (name: string) => {
    const body = JSON.stringify({ name, colour: '#336699' })
    return `POST /labels ${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }

  for (const [at, client] of clients.entries()) {
    client.write([post(`first of ${at}.`), `GET /nowhere/${at} ${head}\r\n`, post(`last of ${at}.`)].join(''))
  }
  const answers = await Promise.all(clients.map((client) => client.until(/last of/)))

  for (const [at, text] of answers.entries()) {
    const heads = text.match(/HTTP\/1\.1 \d+/g)
    expect(heads).toEqual(['HTTP/1.1 201', 'HTTP/1.1 404', 'HTTP/1.1 201'])
    expect(text.match(/first of \d+\.|GET \/nowhere\/\d+|last of \d+\./g)).toEqual([
      `first of ${at}.`,
      `GET /nowhere/${at}`,
      `last of ${at}.`,
    ])
  }
  for (const { socket } of clients) socket.destroy()
})

it('answers the others when one of the clients leaves before its answer', async () => {
  const { create } = await startForTest()
  const made = await create()
  const port = Number(new URL(made.url).port)
  const [leaver, stayer] = await Promise.all([connectRaw(port), connectRaw(port)])
  const get = `GET /tasks HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${made.apiKey}\r\n\r\n`

  leaver.write(get)
  stayer.write(get)
  leaver.socket.resetAndDestroy()

  expect(await stayer.until(/nextCursor/)).toMatch(/^HTTP\/1\.1 200 /)
  stayer.socket.destroy()
})

it('leaves the lists of a client that does not read as they are, whatever others list meanwhile', async () => {
  const { create } = await startForTest()
  const made = await create({ library: 'task-tracker', volume: { tasks: 2_000 } })
  const authorization = `Bearer ${made.apiKey}`
  const read = async (path: string) => (await fetch(made.url + path, { headers: { authorization } })).text()
  const pages: { path: string; text: string }[] = []
  for (let path = '/tasks?limit=50'; pages.length < 20; ) {
    const text = await read(path)
    pages.push({ path, text })
    path = `/tasks?limit=50&cursor=${JSON.parse(text).nextCursor}`
  }
  const asked = Array.from({ length: 900 }, (_, at) => pages[at % 20] as { path: string; text: string })
  const heads = asked.map(({ path }) => `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n`)
  const sleeper = await connectRaw(Number(new URL(made.url).port))

  sleeper.socket.pause()
  sleeper.write(`${heads.join('\r\n')}connection: close\r\n\r\n`)
  for (let round = 0; round < 3; round++)
    for (const { path, text } of pages.toReversed()) expect(await read(path)).toBe(text)
  sleeper.socket.resume()

  const { text } = await sleeper.ended
  const bodies = text.split(/HTTP\/1\.1 200 OK[\s\S]*?\r\n\r\n/).slice(1)
  expect(bodies).toEqual(asked.map((page) => page.text))
})
