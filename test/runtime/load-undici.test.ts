import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('loads undici where the test environment lacks a name that it looks up, and lends that only meanwhile', () => {
  const source = fileURLToPath(new URL('../../src/runtime/load-undici.ts', import.meta.url))
  const script = `
    delete globalThis.MessagePort
    const { loadUndici } = await import(${JSON.stringify(source)})
    const { Client } = await loadUndici()
    console.log(typeof Client + ' ' + ('MessagePort' in globalThis))`

  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })

  expect(output).toBe('function false\n')
})

it('leaves the dispatcher of an older undici to it, so that discord.js sends its own forms', () => {
  const source = fileURLToPath(new URL('../../src/runtime/load-undici.ts', import.meta.url))
  const script = `
    const { loadUndici } = await import(${JSON.stringify(source)})
    await loadUndici()
    const { REST } = await import('@discordjs/rest')
    const { createServer } = await import('node:http')
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json')
      request.resume().on('end', () => response.end(JSON.stringify(request.headers['content-type'].split(';')[0])))
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const rest = new REST({ api: 'http://127.0.0.1:' + server.address().port, retries: 0 }).setToken('a')
    console.log(await rest.post('/channels/1/messages', { files: [{ name: 'a.txt', data: Buffer.from('abc') }] }))
    process.exit()`

  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })

  expect(output).toBe('multipart/form-data\n')
})
