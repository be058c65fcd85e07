import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A balancer that gives connections to ports of this machine in turn, byte for byte, so that TLS passes too. */
export class RoundRobin implements AsyncDisposable {
  readonly #server: Server
  readonly #ports: readonly number[]
  readonly #sockets = new Set<Socket>()
  #next = 0

  constructor(ports: readonly number[]) {
    this.#ports = ports
    this.#server = createServer((client) => this.#take(client))
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #take(client: Socket): void {
    const node = connect(this.#ports[this.#next++ % this.#ports.length] as number, '127.0.0.1')
    for (const [from, to] of [
      [client, node],
      [node, client],
    ] as const) {
      this.#sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  }
}
