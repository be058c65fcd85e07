import { connect, type Socket } from 'node:net'

/** An order for the load process, by IPC. */
export interface LoadOrder {
  readonly port: number
  /** Whole HTTP/1.1 requests, sent in turn on each connection, the next as soon as an answer is there. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly durationMs: number
  /** Whether it sleeps while it waits: where a database needs the processor too, beside the server. */
  readonly sleeps?: boolean
}

/** The result of an order. */
export interface LoadResult {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  /** Bytes of one answer, head and body. */
  readonly answerBytes: number
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')

// The process only loads: one order at a time, so that server and load have a core each.
process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.on('disconnect', () => process.exit())

async function run({ port, requests, connections, durationMs, sleeps = false }: LoadOrder): Promise<LoadResult> {
  const bytes = requests.map((request) => Buffer.from(request))
  const started = performance.now()
  const until = started + durationMs
  const rest = sleeps ? () => {} : stayAwake()
  const clients = await Promise.all(
    Array.from({ length: connections }, (_, at) => {
      // Far from each other, so that no two connections ask for the same one after the other.
      const first = Math.floor((at * bytes.length) / connections)
      return repeat(port, { bytes, first }, until)
    }),
  )
  const seconds = (performance.now() - started) / 1000
  rest()
  const times = clients.flatMap((client) => client.times).sort((left, right) => left - right)
  return {
    requestsPerSecond: clients.reduce((sum, { count }) => sum + count, 0) / seconds,
    p50Ms: times[Math.floor(times.length / 2)] ?? Number.NaN,
    answerBytes: clients[0]?.answerBytes ?? 0,
  }
}

/**
 * Keeps this process on its core until the answer is called. A process that sleeps between answers has to be woken by
 * the sender of the next request, and the slower server, whose load sleeps more, would pay for that: on a virtual machine, bare
 * node:http that computes for 30 µs a request takes 50 µs more than one that does not, and 34 µs more so.
 */
function stayAwake(): () => void {
  let isAwake = true
  const turn = () => {
    if (isAwake) setImmediate(turn)
  }
  turn()
  return () => {
    isAwake = false
  }
}

interface Client {
  count: number
  answerBytes: number
  readonly times: number[]
}

/** Sends one request after the other on one connection. Rejects on an answer that is no success. */
function repeat(
  port: number,
  { bytes, first }: { bytes: readonly Buffer[]; first: number },
  until: number,
): Promise<Client> {
  return new Promise((resolve, reject) => {
    const client: Client = { count: 0, answerBytes: 0, times: [] }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    const send = () => {
      sentAt = performance.now()
      socket.write(bytes[(first + client.count) % bytes.length] as Buffer)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    onAnswers(socket, (status, answerBytes) => {
      const now = performance.now()
      client.times.push(now - sentAt)
      client.count++
      client.answerBytes = answerBytes
      if (status < 200 || status > 299) reject(new Error(`Expected an answer of 2xx, got ${status}.`))
      if (now < until) send()
      else socket.destroy()
    })
    socket.on('close', () => resolve(client))
  })
}

/** Calls `done` at the last byte of each answer; as cheap as can be, so that the server is the one that is measured. */
function onAnswers(socket: Socket, done: (status: number, bytes: number) => void): void {
  let left = 0
  let status = 0
  let length = 0
  let held: Buffer | undefined
  socket.on('data', (chunk) => {
    const bytes = held === undefined ? chunk : Buffer.concat([held, chunk])
    held = undefined
    if (left > 0) left -= bytes.length
    else {
      const headEnd = bytes.indexOf(END_OF_HEAD)
      if (headEnd === -1) {
        held = bytes
        return
      }
      const head = bytes.toString('latin1', 0, headEnd)
      status = Number(head.slice(9, 12))
      length = headEnd + END_OF_HEAD.length + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
      left = length - bytes.length
    }
    if (left === 0) done(status, length)
    else if (!(left > 0)) socket.destroy(new Error('Expected an answer with a length, and one at a time.'))
  })
}
