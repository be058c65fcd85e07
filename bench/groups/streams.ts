import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSimulation } from '../../dist/index.js'
import { atLeastOfFloor, type BenchRow, median } from '../bench-row.ts'

const EVENTS = 20_000
const ROUNDS = 15
const WRITE_BYTES = 64 * 1024

const spec = {
  openapi: '3.1.0',
  info: { title: 'Words', version: '1' },
  security: [],
  paths: {
    '/words': { get: { responses: { 200: { description: 'ok', content: { 'text/event-stream': {} } } } } },
  },
}
const dataOf = (at: number) => ({
  id: `word-${at}`,
  object: 'word',
  choices: [{ index: 0, delta: { content: ` ${at}` } }],
})

/** A handler's stream of 20,000 events without a pace, against bare `node:http` that joins the same events into writes of 64 KB. */
export async function run(): Promise<BenchRow[]> {
  function* events() {
    for (let at = 0; at < EVENTS; at++) yield { data: dataOf(at), token: true }
  }
  await using words = await createSimulation(
    { spec },
    { handlers: { 'GET /words': ({ stream }) => stream(events()) }, webhooks: false },
  )
  const bare = createServer((_, response) => void writeBare(response))
  bare.listen(0, '127.0.0.1')
  await once(bare, 'listening')
  const floorUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/words`
  const pairs: { value: number; floor: number }[] = []
  for (let round = 0; round < ROUNDS; round++)
    pairs.push({ floor: await eventsPerSecond(floorUrl), value: await eventsPerSecond(`${words.url}/words`) })
  bare.close()
  const middle = median(pairs.map(({ value, floor }) => value / floor))
  const pair = pairs.find(({ value, floor }) => value / floor === middle) as { value: number; floor: number }
  return [atLeastOfFloor({ name: 'stream of 20,000 events', ...pair, unit: 'events/s', least: 0.7 })]
}

async function writeBare(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let text = ''
  for (let at = 0; at < EVENTS; at++) {
    text += `data: ${JSON.stringify(dataOf(at))}\n\n`
    if (text.length < WRITE_BYTES) continue
    if (!response.write(text)) await once(response, 'drain')
    text = ''
  }
  response.end(text)
}

/** Reads a stream to its end. */
async function eventsPerSecond(url: string): Promise<number> {
  const started = performance.now()
  const asked = request(url).end()
  const [answer] = await once(asked, 'response')
  let bytes = 0
  for await (const part of answer) bytes += part.length
  if (bytes < EVENTS * 80) throw new Error(`Failed to read ${url}: ${bytes} bytes came.`)
  return (EVENTS / (performance.now() - started)) * 1_000
}
