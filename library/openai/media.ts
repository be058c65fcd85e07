import type { Context } from './context.ts'
import { refuseScripted } from './errors.ts'
import { checkModel } from './models.ts'
import { toUnix } from './times.ts'

/** A picture of one pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** Silent frames of MPEG 1 layer III: 128 kbit/s at 44,100 samples a second. */
function mp3(): Buffer {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xff_fb_90_64)
  return Buffer.concat([frame, frame, frame, frame])
}

const toImages = ({ body, now, tokens }: Context): object => {
  const input = tokens(String(body.prompt))
  return {
    created: toUnix(now),
    data: Array.from({ length: Number(body.n ?? 1) }, () => ({ b64_json: PNG })),
    usage: { input_tokens: input, output_tokens: 100, total_tokens: input + 100 },
  }
}

/** The text of a sound is what the test scripts for its file's name. */
function transcribe(context: Context): unknown {
  const { body, files, reply, respond } = context
  const model = checkModel(context, body.model)
  const answer = reply({ model, messages: [{ role: 'user', text: files[0]?.name ?? '' }] })
  refuseScripted(context, answer.error)
  const { text, usage } = answer
  const format = body.response_format ?? 'json'
  if (format === 'text') return respond({ body: `${text}\n` })
  if (format === 'verbose_json') return { task: 'transcribe', language: 'english', duration: 1, text, segments: [] }
  const { input: input_tokens, output: output_tokens } = usage
  return { text, usage: { type: 'tokens', input_tokens, output_tokens, total_tokens: input_tokens + output_tokens } }
}

export const media = {
  'POST /images/generations': toImages,
  'POST /images/edits': toImages,
  'POST /audio/speech': ({ respond }: Context) => respond({ headers: { 'Content-Type': 'audio/mpeg' }, body: mp3() }),
  'POST /audio/transcriptions': transcribe,
  'POST /audio/translations': transcribe,
}
