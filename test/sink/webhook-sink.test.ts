import { expect, it } from 'vitest'
import { startSink } from '../../src/sink/webhook-sink.ts'
import { callSink } from './sink-client.ts'

const token = '0123456789abcdef0123456789abcdef'

it('opens a token once at a time', async () => {
  await using sink = await startSink()
  const first = sink.open({ token })

  expect(() => sink.open({ token })).toThrow(`Expected \`token\` to be one that no open path has, got ${token}.`)
  first.close()
  const second = sink.open({ token })
  first.close()

  expect((await callSink(sink, { path: new URL(second.url).pathname })).status).toBe(415)
})

it.each(['hooks.example.com', 'ftp://hooks.example.com', 'hooks.example.com:8443'])(
  'refuses %s as its public address',
  async (publicUrl) => {
    await expect(startSink({ publicUrl })).rejects.toThrow(
      `Expected \`publicUrl\` to be an http or https URL, got ${publicUrl}.`,
    )
  },
)
