import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that listens, until it is disposed. */
interface Listening extends AsyncDisposable {
  readonly port: number
  readonly url: string
}

/** Lets a server listen on a free port of loopback. Its end breaks the connections that are open. */
export async function onLoopback(server: Server): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A port of loopback that nothing listens on. */
export async function freePort(): Promise<number> {
  await using server = await onLoopback(createServer())
  return server.port
}
