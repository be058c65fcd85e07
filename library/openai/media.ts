import type { StreamEvent } from '../../src/handlers.ts'
import { kindOf, sizeOf, USUAL_SIZE } from '../shared/documents.ts'
import { toLogprobs } from '../shared/pieces.ts'
import { toUnix } from '../shared/times.ts'
import { type Fields, type Json, listOf } from '../shared/values.ts'
import { toWav } from '../shared/wav.ts'
import { countPicture } from './attachments.ts'
import type { Context, Work } from './context.ts'
import { refuseScripted, scripted, streamOptions } from './errors.ts'
import { invalidValue, missingField, tooLong, unknownParameter } from './faults.ts'
import { checkModel } from './models.ts'

/** A picture of one pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const PICTURES: Readonly<Record<string, string>> = {
  gif: 'R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=',
  svg: 'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
  jpeg: `/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP${'/'.repeat(86)}wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=`,
  webp: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
}

/** Silent frames of MPEG 1 layer III: 128 kbit/s at 44,100 samples a second. */
function mp3(): Buffer {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xff_fb_90_64)
  return Buffer.concat([frame, frame, frame, frame])
}

/** One silent frame of each of these formats. */
const FRAMES = {
  aac: '//FQQAG//ADIAIAjgA==',
  flac: 'ZkxhQ4AAACIQABAAAAAAAAAABdwA8AAAEAAIKfcXQKqxq5izPq4h3uEi//jHCAC5AAAA31I=',
  opus: 'T2dnUwACAAAAAAAAAAABAAAAAAAAAF3pgQoBE09wdXNIZWFkAQE4AcBdAAAAAABPZ2dTAAAAAAAAAAAAAAEAAAABAAAAEhTRWwERT3B1c1RhZ3MBAAAALQAAAABPZ2dTAATAAwAAAAAAAAEAAAACAAAAKZOw3QED+P/+',
}

/** A tenth of a second of silence: 24,000 samples a second, 16 bits. */
const SILENCE = Buffer.alloc(4_800)

const SOUNDS: Readonly<Record<string, readonly [type: string, make: () => Buffer]>> = {
  mp3: ['audio/mpeg', mp3],
  wav: ['audio/wav', () => toWav(SILENCE, 24_000, 2)],
  pcm: ['audio/pcm', () => SILENCE],
  ...Object.fromEntries(
    Object.entries(FRAMES).map(([name, frame]) => [name, [`audio/${name}`, () => Buffer.from(frame, 'base64')]]),
  ),
}

/** The sound of a chat's answer, as base64; undefined in a format that is not simulated. */
export const soundOf = (format: unknown): string | undefined =>
  SOUNDS[String(format).replace('pcm16', 'pcm')]?.[1]().toString('base64')

/** Voices that everybody has; one of an organization is named by an object with its id. */
const VOICES = 'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' ')

function speak(context: Context): unknown {
  const { body, refuse, respond, stream, tokens } = context
  checkModel(context, body.model)
  const input = String(body.input)
  if (input.length === 0 || input.length > 4_096)
    refuse(400, { message: 'The input of speech has 1 to 4096 characters.', field: 'input' })
  const { voice } = body
  if (voice === undefined) refuse(400, { ...missingField('voice') })
  if (typeof voice === 'string' && !VOICES.includes(voice)) refuse(400, { ...invalidValue('voice', voice, VOICES) })
  const format = String(body.response_format ?? 'mp3')
  const [type, make] =
    SOUNDS[format] ?? refuse(400, { ...invalidValue('response_format', format, Object.keys(SOUNDS)) })
  if (body.stream_format !== 'sse') return respond({ headers: { 'Content-Type': type }, body: make() })
  const input_tokens = tokens(input)
  const usage = { input_tokens, output_tokens: 10, total_tokens: input_tokens + 10 }
  const audio = { type: 'speech.audio.delta', audio: make().toString('base64') }
  return stream([{ token: true, data: audio }, { data: { type: 'speech.audio.done', usage } }])
}

/** Sizes of pictures and of their prompts, by their model. */
const SIZES: readonly (readonly [RegExp, readonly string[], number?])[] = [
  [/^dall-e-2/, ['256x256', '512x512', '1024x1024'], 1_000],
  [/^dall-e-3/, ['1024x1024', '1792x1024', '1024x1792'], 4_000],
  [/^gpt-image-1/, ['1024x1024', '1024x1536', '1536x1024', 'auto']],
]

/** What a picture may be like. */
const OF_PICTURES = {
  quality: ['low', 'medium', 'high', 'xhigh', 'max', 'auto'],
  background: ['transparent', 'opaque', 'auto'],
  output_format: ['png', 'jpeg', 'webp', 'gif', 'svg'],
}

/** Pictures by DALL-E at an address, those of other models as base64, and streamed if asked for. */
function toImages(context: Context, kind: 'image_edit' | 'image_generation'): unknown {
  const { body, now, origin, id, refuse } = context
  const model = checkModel(context, body.model ?? 'dall-e-2')
  const created = toUnix(now)
  const count = Number(body.n ?? 1)
  if (model === 'dall-e-3' && count > 1) refuse(400, { message: 'You must provide n=1 for this model.', field: 'n' })
  const [, sizes, most = 32_000] = SIZES.find(([pattern]) => pattern.test(model)) ?? []
  const prompt = String(body.prompt ?? '')
  if (prompt.length > most) refuse(400, { ...tooLong('prompt', most, prompt) })
  if (body.size != null && sizes?.includes(String(body.size)) === false)
    refuse(400, { ...invalidValue('size', body.size, sizes) })
  if (model.startsWith('dall-e')) {
    const revised = model === 'dall-e-3' && { revised_prompt: body.prompt ?? '' }
    const toPicture = () =>
      body.response_format === 'b64_json' ? { b64_json: PNG } : { url: `${origin}/pictures/${id('img-')}.png` }
    return { created, data: Array.from({ length: count }, () => ({ ...toPicture(), ...revised })) }
  }
  if (body.response_format != null) refuse(400, { ...unknownParameter('response_format') })
  for (const [field, known] of Object.entries(OF_PICTURES))
    if (body[field] != null && !known.includes(String(body[field])))
      refuse(400, { ...invalidValue(field, body[field], known) })
  if (body.background === 'transparent' && body.output_format === 'jpeg')
    refuse(400, { message: 'Transparent background is not supported for jpeg output format.', field: 'background' })
  const sizesOfSent = context.files.map(({ base64 }) =>
    base64 === null ? USUAL_SIZE : sizeOf(Buffer.from(base64, 'base64')),
  )
  const image_tokens = sizesOfSent.reduce((sum, size) => sum + countPicture(model, size, 'high'), 0)
  const { usage, data, created: created_at, ...facts } = draw(context, body, image_tokens)
  const pieces = Number(body.partial_images ?? 0)
  if (String(body.stream) !== 'true') return { created, ...facts, data, usage }
  const event = (name: string, more: object): StreamEvent => {
    const type = `${kind}.${name}`
    return { event: type, token: true, data: { type, created_at, ...facts, ...listOf(data)[0], ...more } }
  }
  const partial = Array.from({ length: pieces }, (_, partial_image_index) =>
    event('partial_image', { partial_image_index }),
  )
  return context.stream([...partial, event('completed', { usage })])
}

/** The pictures of a request, or of a line of a batch. @param image_tokens of the pictures that it sent */
export function draw({ now, tokens }: Pick<Work, 'now' | 'tokens'>, body: Fields, image_tokens = 0): Fields {
  const given = (name: string, usual: string): Json => {
    const value = body[name] ?? 'auto'
    return value === 'auto' ? usual : value
  }
  const output_format = String(body.output_format ?? 'png')
  const text_tokens = tokens(String(body.prompt))
  const input_tokens = text_tokens + image_tokens
  const input_tokens_details = { text_tokens, image_tokens }
  return {
    ...{ created: toUnix(now), size: given('size', '1024x1024'), quality: given('quality', 'high') },
    ...{ background: given('background', 'opaque'), output_format },
    data: Array.from({ length: Number(body.n ?? 1) }, () => ({ b64_json: PICTURES[output_format] ?? PNG })),
    usage: { input_tokens, input_tokens_details, output_tokens: 100, total_tokens: input_tokens + 100 },
  }
}

/** Refuses pictures to change that are none. */
function checkPictures({ files, refuse }: Context): void {
  const pictures = files.filter(({ field }) => field.startsWith('image'))
  if (pictures.length === 0) refuse(400, { ...missingField('image') })
  for (const [at, { base64, type, field }] of [...pictures, ...files.filter((one) => one.field === 'mask')].entries()) {
    if (base64 === null || kindOf(Buffer.from(base64, 'base64'))?.startsWith('image/')) continue
    const formats = "'image/jpeg', 'image/png', and 'image/webp'"
    const message = `Invalid file '${field}': unsupported mimetype ('${type}'). Supported file formats are ${formats}.`
    if (!formats.includes(String(type))) refuse(400, { code: 'unsupported_file_mimetype', field, message })
    const broken = `Invalid image file or mode for image ${at + 1}, please check your image file.`
    refuse(400, { code: 'invalid_image_file', message: broken })
  }
}

function changePictures(context: Context): unknown {
  checkPictures(context)
  return scripted(context, context.body.prompt ?? '', () => toImages(context, 'image_edit'))
}

/** Files of sounds. */
const HEARD = /\.(?:flac|m4a|mp[34]|mpeg|mpga|oga|ogg|wav|webm)$/i

/** What models of a kind write: https://platform.openai.com/docs/api-reference/audio/createTranscription. */
const FORMATS = [
  [/^gpt.*diarize/, ['json', 'text', 'diarized_json']],
  [/^gpt.*transcribe/, ['json', 'text']],
  [/^whisper/, ['json', 'text', 'srt', 'verbose_json', 'vtt']],
] as const

/** Refuses a format that the model does not write. */
function checkFormat({ body, refuse }: Context, model: string): void {
  const field = 'response_format'
  const { response_format: format = 'json', timestamp_granularities: wanted } = body
  const known: readonly string[] | undefined = FORMATS.find(([kind]) => kind.test(model))?.[1]
  const others = known?.map((one) => `'${one}'`).join(' or ')
  const message = `response_format '${format}' is not compatible with model '${model}'. Use ${others} instead.`
  if (known?.includes(String(format)) === false) refuse(400, { code: 'unsupported_value', field, message })
  if (wanted !== undefined && format !== 'verbose_json' && model.startsWith('whisper'))
    refuse(400, {
      field,
      message: '`response_format` must be `verbose_json` if `timestamp_granularities[]` is provided',
    })
}

/** `spanish` for `es`; English without a code. */
function languageOf(code: unknown): string | undefined {
  const [known = 'en'] = /^[a-z]{2}\b/.exec(String(code)) ?? []
  return new Intl.DisplayNames('en', { type: 'language' }).of(known)?.toLowerCase()
}

/** The text of a sound is what the test scripts for its file's name; each sound lasts a second. */
function transcribe(context: Context, task: 'transcribe' | 'translate'): unknown {
  const { body, files, reply, respond, stream } = context
  const model = checkModel(context, body.model)
  if (!HEARD.test(files[0]?.name ?? ''))
    context.refuse(400, {
      field: 'file',
      message: `Invalid file format. Supported formats: ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']`,
    })
  checkFormat(context, model)
  const answer = reply({ model, messages: [{ role: 'user', text: files[0]?.name ?? '' }] })
  refuseScripted(context, answer.error)
  const { text, pieces } = answer
  const { input, output } = answer.usage
  const input_token_details = { text_tokens: 0, audio_tokens: input }
  const usage = model.startsWith('whisper')
    ? { type: 'duration', seconds: 1 }
    : { type: 'tokens', input_tokens: input, input_token_details, output_tokens: output, total_tokens: input + output }
  const { include = [] } = body
  const hasLogprobs = Array.isArray(include) && include.includes('logprobs')
  const logprobs = hasLogprobs && { logprobs: toLogprobs({}, pieces).map(({ top_logprobs: _, ...one }) => one) }
  if (String(body.stream) === 'true' && !model.startsWith('whisper')) {
    const deltas = pieces.map((delta) => ({ token: true, data: { type: 'transcript.text.delta', delta } }))
    const done = { data: { type: 'transcript.text.done', text, ...logprobs, usage } }
    return stream(
      [...deltas, done],
      streamOptions(answer, (error) => ({ event: 'error', data: { error } })),
    )
  }
  const span = { start: 0, end: 1, text }
  switch (body.response_format ?? 'json') {
    case 'text':
      return respond({ body: `${text}\n` })
    case 'srt':
      return respond({ body: `1\n00:00:00,000 --> 00:00:01,000\n${text}\n\n` })
    case 'vtt':
      return respond({ body: `WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n${text}\n\n` })
    case 'verbose_json': {
      const words = text.match(/[\p{L}\p{N}](?:\S*[\p{L}\p{N}])?/gu) ?? []
      const placed = words.map((word, at) => ({ word, start: at / words.length, end: (at + 1) / words.length }))
      const certain = { temperature: 0, avg_logprob: -0.1, compression_ratio: 1, no_speech_prob: 0 }
      const segments = [{ id: 0, seek: 0, ...span, tokens: [], ...certain }]
      const wanted = [body.timestamp_granularities ?? []].flat()
      return {
        ...{ task, language: languageOf(task === 'transcribe' ? body.language : 'en'), duration: 1, text },
        ...((wanted.length === 0 || wanted.includes('segment')) && { segments }),
        ...(wanted.includes('word') && { words: placed }),
        usage,
      }
    }
    case 'diarized_json': {
      const [speaker = 'A'] = [body.known_speaker_names ?? []].flat()
      const segment = { type: 'transcript.text.segment', id: 'seg_0', speaker, ...span }
      return { task, duration: 1, text, segments: [segment], usage }
    }
    default:
      return { text, ...logprobs, usage }
  }
}

export const media = {
  'POST /images/generations': (context: Context) =>
    scripted(context, context.body.prompt, () => toImages(context, 'image_generation')),
  'POST /images/edits': changePictures,
  'POST /images/variations': changePictures,
  'GET /pictures/{id}': ({ respond }: Context) =>
    respond({ headers: { 'Content-Type': 'image/png' }, body: Buffer.from(PNG, 'base64') }),
  'POST /audio/speech': (context: Context) => scripted(context, context.body.input, () => speak(context)),
  'POST /audio/transcriptions': (context: Context) => transcribe(context, 'transcribe'),
  'POST /audio/translations': (context: Context) => transcribe(context, 'translate'),
}
