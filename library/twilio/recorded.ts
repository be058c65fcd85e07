import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { toWav } from '../shared/wav.ts'

const RATE = 8_000

/** The silence of a recording, as WAV: 8,000 bytes a second, in mono. */
export function audio(context: OperationContext<AnyOperation, { recordings: JsonObject }>): object {
  const [sid = '', type = 'wav'] = String(context.path.File).split('.')
  const recording = context.records.recordings.get(sid)
  if (recording?.status !== 'completed' || type !== 'wav') return context.refuse(404, { code: 'not_found' })
  const silence = Buffer.alloc(Math.max(Number(recording.duration), 0) * RATE, 128)
  return context.respond({ headers: { 'Content-Type': 'audio/x-wav' }, body: toWav(silence, RATE, 1) })
}
