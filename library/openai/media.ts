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

const toImages = (context: Context): object => {
  const { body, now, tokens } = context
  const input = tokens(String(body.prompt))
  const usage = { input_tokens: input, output_tokens: 100, total_tokens: input + 100 }
  if (String(body.stream) === 'true') return streamImage(context, usage)
  return {
    created: toUnix(now),
    data: Array.from({ length: Number(body.n ?? 1) }, () => ({ b64_json: PNG })),
    usage,
  }
}

/** A picture in events: its drafts, and the whole. */
function streamImage({ body, files, now, stream }: Context, usage: object): object {
  const kind = files.length > 0 ? 'image_edit' : 'image_generation'
  const { size = '1024x1024', quality = 'high', background = 'opaque', output_format = 'png' } = body
  const picture = { created_at: toUnix(now), b64_json: PNG, size, quality, background, output_format }
  const event = (type: string, more: object) => ({ event: type, token: true, data: { type, ...picture, ...more } })
  const drafts = Array.from({ length: Number(body.partial_images ?? 0) }, (_, partial_image_index) =>
    event(`${kind}.partial_image`, { partial_image_index }),
  )
  return stream([...drafts, event(`${kind}.completed`, { usage })])
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
