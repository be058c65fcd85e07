import { connect, type Socket } from 'node:net'

/** A bare TCP connection that keeps what it received. */
export interface RawClient {
  readonly socket: Socket
  write(text: string | Uint8Array): void
  /** What came so far. */
  received(): string
  /** Resolves with everything received when the connection is over; `error` is its code, where it ended with one. */
  readonly ended: Promise<{ text: string; error: string | undefined }>
  /** Resolves as soon as what was received matches. */
  until(pattern: RegExp): Promise<string>
}

/** Connects to a port on loopback. */
export async function connectRaw(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1' })
  let text = ''
  let error: string | undefined
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
  })
  socket.on('error', (cause: NodeJS.ErrnoException) => {
    error = cause.code
  })
  const ended = new Promise<{ text: string; error: string | undefined }>((resolve) => {
    socket.on('close', () => resolve({ text, error }))
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    ended,
    write: (bytes) => void socket.write(bytes),
    received: () => text,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!pattern.test(text)) return
          socket.off('data', check)
          resolve(text)
        }
        socket.on('data', check)
        socket.once('close', () => reject(new Error(`The connection closed before ${pattern} came: ${text}`)))
        check()
      }),
  }
}
