import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'

const RATE = 8_000

/** The silence of a recording, as WAV: 8,000 bytes a second, in mono. */
export function audio(context: OperationContext<AnyOperation, { recordings: JsonObject }>): object {
  const [sid = '', type = 'wav'] = String(context.path.File).split('.')
  const recording = context.records.recordings.get(sid)
  if (recording?.status !== 'completed' || type !== 'wav') return context.refuse(404, { code: 'not_found' })
  const size = Math.max(Number(recording.duration), 0) * RATE
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.writeUInt32LE(36 + size, 4)
  head.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, RATE],
    [28, RATE],
    [40, size],
  ] as const)
    head.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at)
  head.write('data', 36)
  return context.respond({
    headers: { 'Content-Type': 'audio/x-wav' },
    body: Buffer.concat([head, Buffer.alloc(size, 128)]),
  })
}
