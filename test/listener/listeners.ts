import { connect as connectTls } from 'node:tls'
import { onTestFinished } from 'vitest'
import { startSinkApi } from '../../src/cli/sink-api.ts'
import { openLocalPort } from '../../src/fixture/local-port/local-port.ts'
import { startOperated } from '../../src/service/start.ts'
import { startSink } from '../../src/sink/webhook-sink.ts'
import { openSimulation } from '../simulation/open-simulation.ts'
import { connectRaw } from './raw-client.ts'

/** Each port that speaks HTTP with strangers. */
export const LISTENERS = [
  'management API',
  'simulated API',
  'local port',
  'port for operators',
  'sink',
  'API of the sink',
]

/** Opens a listener for one test. The returned function sends bytes over a new connection and resolves with all that comes until it ends. */
export async function openListener(listener: string): Promise<(bytes: string) => Promise<string>> {
  if (listener === 'sink') return openSink()
  const port = Number(new URL(await urlOf(listener)).port)
  return async (bytes) => {
    const client = await connectRaw(port)
    client.write(Buffer.from(bytes, 'latin1'))
    return (await client.ended).text
  }
}

async function urlOf(listener: string): Promise<string> {
  if (listener === 'API of the sink') return (await openSinkApi()).url
  if (listener === 'port for operators') {
    const asked = { port: 0, host: '127.0.0.1', log: 'off' as const, write: () => {} }
    const service = await startOperated({}, asked)
    onTestFinished(() => service.close())
    return service.operations?.url ?? ''
  }
  const simulation = await openSimulation({ library: 'task-tracker' })
  onTestFinished(() => simulation[Symbol.asyncDispose]())
  if (listener === 'management API') return simulation.service.url
  if (listener === 'simulated API') return simulation.url
  const local = await openLocalPort({ url: new URL(simulation.url), ca: undefined, proxy: undefined })
  onTestFinished(() => local.close())
  return local.url
}

async function openSinkApi() {
  const sink = await startSink()
  onTestFinished(() => sink.close())
  const options = { sink, path: sink.open(), scheme: 'svc' as const, listen: '127.0.0.1:0', token: 'a-token-of-a-test' }
  const api = await startSinkApi(options)
  onTestFinished(() => api.close())
  return api
}

async function openSink(): Promise<(bytes: string) => Promise<string>> {
  const sink = await startSink()
  onTestFinished(() => sink.close())
  const ca = (await sink.ca()) ?? ''
  return (bytes) =>
    new Promise((resolve) => {
      const socket = connectTls({ port: sink.port, host: '127.0.0.1', ca })
      let text = ''
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
      })
      socket.on('error', () => {})
      socket.once('close', () => resolve(text))
      socket.write(Buffer.from(bytes, 'latin1'))
    })
}
