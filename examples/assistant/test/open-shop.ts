import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Simulation } from 'backlot'
import OpenAI, { toFile } from 'openai'
import { createApp } from '../src/app.ts'

/** The application on a free port of this machine, with OpenAI at its back and a file about returns. */
export async function openShop({ url, key }: Pick<Simulation, 'url' | 'key'>) {
  const openai = new OpenAI({ apiKey: key, baseURL: `${url}/v1` })
  const returns = await toFile(Buffer.from('Returning a parcel is free within 30 days.'), 'returns.txt')
  const { id: file } = await openai.files.create({ file: returns, purpose: 'assistants' })
  const { id: store } = await openai.vectorStores.create({ file_ids: [file] })
  const app = createApp(openai, store)
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  if (!server.listening) await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openai,
    async [Symbol.asyncDispose]() {
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
  }
}
