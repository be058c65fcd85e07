import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const SINK = new URL('../../src/sink/webhook-sink.ts', import.meta.url).href

/** Runs a script that leaves its sink open, to its end. */
async function runScript(script: string): Promise<string> {
  const text = `const { startSink } = await import('${SINK}'); const sink = await startSink({ holdsProcess: false }); ${script}`
  const env = { ...process.env, FORCE_COLOR: '0' }
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', text], { env })
  return stdout.trim()
}

it('lets a process end that forgot to close its sink, connections included', async () => {
  const script = `
    const { connect } = await import('node:tls')
    const socket = connect({ host: sink.ip, port: sink.port, ca: await sink.ca() }, () => {
      socket.unref()
      console.log('connected')
    })`

  expect(await runScript(script)).toBe('connected')
})

it('keeps a process alive for as long as a caller waits for a webhook', async () => {
  const script = `console.log(await sink.open().inbox.waitFor({ matches: () => true }, { timeoutMs: 100 }))`

  expect(await runScript(script)).toBe('undefined')
})
