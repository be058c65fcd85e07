import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy between a node and its database, with network faults. */
export class TcpProxy {
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #target: number
  #isHolding = false
  #isRefusing = false
  #delayMs = 0

  constructor(targetPort: number) {
    this.#target = targetPort
    this.#server = createServer((socket) => this.#take(socket))
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as { port: number }).port
  }

  /** Holds all bytes until release. */
  hold(isHolding: boolean): void {
    this.#isHolding = isHolding
    for (const sockets of this.#pairs) for (const socket of sockets) isHolding ? socket.pause() : socket.resume()
  }

  /** Ends every connection, by a reset or as if the other side had left. */
  cut(isReset: boolean): void {
    for (const sockets of this.#pairs)
      for (const socket of sockets) isReset ? socket.resetAndDestroy() : socket.destroy()
  }

  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing
    if (isRefusing) this.cut(false)
  }

  /** Forwards new connections to another server. */
  lead(targetPort: number): void {
    this.#target = targetPort
    this.cut(false)
  }

  slow(delayMs: number): void {
    this.#delayMs = delayMs
  }

  close(): void {
    this.cut(false)
    this.#server.close()
  }

  #take(left: Socket): void {
    if (this.#isRefusing) {
      left.destroy()
      return
    }
    const right = connect(this.#target, '127.0.0.1')
    const pair = [left, right] as const
    this.#pairs.add(pair)
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      from.setNoDelay(true)
      from.on('data', (bytes) => this.#pass(to, bytes))
      from.on('error', () => {})
      from.on('close', () => {
        this.#pairs.delete(pair)
        to.destroy()
      })
      if (this.#isHolding) from.pause()
    }
  }

  #pass(to: Socket, bytes: Buffer): void {
    if (this.#delayMs === 0) to.write(bytes)
    else setTimeout(() => to.writable && to.write(bytes), this.#delayMs)
  }
}
