import OpenAI, { toFile } from 'openai'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { collect } from '../support/collect.ts'

const model = 'gpt-5'

async function open(options: Parameters<typeof createSimulation>[1] = {}) {
  const simulation = await createSimulation('openai', options)
  const webhookSecret = simulation.webhooks.secret ?? null
  const openai = new OpenAI({ apiKey: simulation.key, baseURL: `${simulation.url}/v1`, webhookSecret })
  return { simulation, openai }
}

const chatLine = (id: string, content: string, name = model) =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: name, messages: [{ role: 'user', content }] },
  })

it('keeps files, and those that are uploaded in parts', async () => {
  const { openai } = await open({ webhooks: false })
  const file = await openai.files.create({ file: await toFile(Buffer.from('Hello'), 'a.txt'), purpose: 'assistants' })
  const large = await openai.files.create({
    file: await toFile(Buffer.alloc(2_000_000), 'c.bin'),
    purpose: 'evals',
  })
  const upload = await openai.uploads.create({
    bytes: 6,
    filename: 'b.txt',
    mime_type: 'text/plain',
    purpose: 'evals',
  })
  const parts = []
  for (const text of ['abc', 'def']) {
    const part = await openai.uploads.parts.create(upload.id, { data: await toFile(Buffer.from(text), 'part') })
    parts.push(part.id)
  }
  const completed = await openai.uploads.complete(upload.id, { part_ids: parts })

  expect(file).toMatchObject({ object: 'file', bytes: 5, filename: 'a.txt', purpose: 'assistants' })
  await expect(openai.files.content(file.id)).rejects.toThrow('Not allowed to download files of purpose: assistants')
  expect(await (await openai.files.content(String(completed.file?.id))).text()).toBe('abcdef')
  expect((await openai.files.list()).data.map(({ filename }) => filename)).toEqual(['b.txt', 'c.bin', 'a.txt'])
  expect((await (await openai.files.content(large.id)).arrayBuffer()).byteLength).toBe(2_000_000)
  expect(await openai.files.delete(file.id)).toMatchObject({ deleted: true })
  await expect(openai.files.retrieve(file.id)).rejects.toMatchObject({ status: 404 })
})

it('runs a batch overnight, and tells so by a webhook', async () => {
  const { simulation, openai } = await open()
  await simulation.reply({ when: { text: 'first' }, text: 'One.' })
  await simulation.reply({ when: { text: 'second' }, error: { status: 500, message: 'No.' } })
  const lines = [chatLine('a', 'first'), chatLine('b', 'second'), chatLine('c', 'third', 'nothing-1')].join('\n')
  const input = await openai.files.create({ file: await toFile(Buffer.from(lines), 'in.jsonl'), purpose: 'batch' })
  const endpoint = '/v1/chat/completions'

  const made = await openai.batches.create({
    input_file_id: input.id,
    endpoint,
    completion_window: '24h',
    output_expires_after: { anchor: 'created_at', seconds: 86_400 },
  })
  await simulation.fastForward({ hours: 0.25 })
  const working = await openai.batches.retrieve(made.id)
  await simulation.fastForward({ hours: 8 })
  const done = await openai.batches.retrieve(made.id)
  const output = await (await openai.files.content(String(done.output_file_id))).text()
  const failed = await (await openai.files.content(String(done.error_file_id))).text()
  const { created_at, expires_at } = await openai.files.retrieve(String(done.output_file_id))
  const webhook = await simulation.expectWebhook('batch.completed')
  const event = await openai.webhooks.unwrap(Buffer.from(webhook.rawBody).toString(), webhook.headers)

  expect([made.status, working.status, done.status]).toEqual(['validating', 'in_progress', 'completed'])
  expect(expires_at).toBe(created_at + 86_400)
  expect(done.request_counts).toEqual({ total: 3, completed: 1, failed: 2 })
  expect(JSON.parse(output)).toMatchObject({
    custom_id: 'a',
    response: { status_code: 200, body: { choices: [{ message: { content: 'One.' } }] } },
  })
  const codes = failed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).response.status_code)
  expect(codes).toEqual([500, 404])
  expect(event).toMatchObject({ type: 'batch.completed', data: { id: made.id } })
  expect((await simulation.prompts()).map(({ text }) => text)).toEqual(['third', 'second', 'first'])
})

it('fails a batch with a broken line, and cancels another', async () => {
  const { simulation, openai } = await open({ webhooks: false })
  const create = async (text: string) => {
    const file = await openai.files.create({ file: await toFile(Buffer.from(text), 'in.jsonl'), purpose: 'batch' })
    const endpoint = '/v1/chat/completions'
    return openai.batches.create({ input_file_id: file.id, endpoint, completion_window: '24h' })
  }
  const broken = await create('{')
  const cancelled = await create(chatLine('a', 'x'))

  expect((await openai.batches.cancel(cancelled.id)).status).toBe('cancelling')
  await simulation.fastForward({ hours: 1 })

  expect(await openai.batches.retrieve(broken.id)).toMatchObject({
    status: 'failed',
    errors: { data: [{ code: 'invalid_json_line', line: 1 }] },
  })
  expect((await openai.batches.retrieve(cancelled.id)).status).toBe('cancelled')
  expect((await openai.batches.list()).data).toHaveLength(2)
})

it('finds files by their content, and cites them in an answer', async () => {
  const { simulation, openai } = await open({ webhooks: false })
  const store = await openai.vectorStores.create({ name: 'Help' })
  const upload = async (text: string, name: string) =>
    openai.vectorStores.files.uploadAndPoll(store.id, await toFile(Buffer.from(text), name))
  const returns = await upload('Returning parcels is free within 30 days.', 'returns.txt')
  const office = await upload('Our office is in Rome.', 'office.txt')
  await openai.vectorStores.files.update(office.id, { vector_store_id: store.id, attributes: { kind: 'about' } })
  await simulation.reply({ when: { text: 'parcel' }, text: 'It is free.' })

  const found = await openai.vectorStores.search(store.id, { query: 'How do I return a parcel?' })
  const filters = { type: 'eq' as const, key: 'kind', value: 'about' }
  const filtered = await openai.vectorStores.search(store.id, { query: 'Where is the office?', filters })
  const response = await openai.responses.create({
    model,
    input: 'How do I return a parcel?',
    tools: [{ type: 'file_search', vector_store_ids: [store.id], max_num_results: 1 }],
    include: ['file_search_call.results'],
  })

  expect(returns.status).toBe('completed')
  expect(found.data[0]).toMatchObject({ filename: 'returns.txt', content: [{ text: expect.stringContaining('free') }] })
  expect(filtered.data.map(({ filename }) => filename)).toEqual(['office.txt'])
  expect(response.output).toMatchObject([
    { type: 'file_search_call', queries: ['How do I return a parcel?'], results: [{ filename: 'returns.txt' }] },
    { content: [{ text: 'It is free.', annotations: [{ type: 'file_citation', file_id: returns.id }] }] },
  ])
  expect(await openai.vectorStores.retrieve(store.id)).toMatchObject({ file_counts: { completed: 2, total: 2 } })
  await openai.vectorStores.files.delete(office.id, { vector_store_id: store.id })
  expect((await openai.vectorStores.files.list(store.id)).data.map(({ id }) => id)).toEqual([returns.id])
  const expiring = { expires_after: { anchor: 'last_active_at' as const, days: 1 } }
  expect((await openai.vectorStores.update(store.id, expiring)).expires_at).toBe(store.created_at + 86_400)
  const batch = await openai.vectorStores.fileBatches.createAndPoll(store.id, { file_ids: [office.id] })
  expect(batch).toMatchObject({ status: 'completed', file_counts: { completed: 1 } })
})

it('registers webhooks by the API, and moderates', async () => {
  const { openai } = await open({ webhooks: false })
  const url = 'https://hooks.example.com/openai'

  const endpoint = await openai.webhooks.create({ name: 'Jobs', url, event_types: ['batch.completed'] })
  const rotated = await openai.webhooks.rotateSecret(endpoint.id)
  const moderation = await openai.moderations.create({ input: ['I will kill you', 'Hello'] })

  expect(endpoint.signing_secret).toMatch(/^whsec_/)
  expect(rotated.signing_secret).not.toBe(endpoint.signing_secret)
  expect((await openai.webhooks.list()).data).toMatchObject([{ id: endpoint.id, url }])
  expect(moderation.results.map(({ flagged }) => flagged)).toEqual([true, false])
})

it('draws by each kind of model', async () => {
  const { openai } = await open({ webhooks: false })
  const prompt = 'A cat'

  const drawn = await openai.images.generate({ model: 'gpt-image-1', prompt, size: '1536x1024' })
  const moving = await openai.images.generate({
    model: 'gpt-image-2.5-flare',
    prompt,
    output_format: 'gif',
    quality: 'max',
  })
  const linked = await openai.images.generate({ model: 'dall-e-3', prompt })
  const picture = await fetch(linked.data?.[0]?.url ?? '')
  const image = await toFile(picture.clone(), 'a.png')
  const varied = await openai.images.createVariation({ image, n: 2 })

  expect(drawn).toMatchObject({ size: '1536x1024', data: [{ b64_json: expect.any(String) }] })
  expect(moving).toMatchObject({ output_format: 'gif', quality: 'max' })
  expect(linked.data).toEqual([{ url: expect.any(String), revised_prompt: prompt }])
  expect(picture.headers.get('content-type')).toBe('image/png')
  expect(varied.data).toHaveLength(2)
  await expect(openai.images.edit({ image: await toFile(Buffer.from('x'), 'a.txt'), prompt })).rejects.toMatchObject({
    code: 'unsupported_file_mimetype',
  })
  const broken = await toFile(Buffer.from('x'), 'a.png', { type: 'image/png' })
  await expect(openai.images.edit({ image: broken, prompt })).rejects.toMatchObject({ code: 'invalid_image_file' })
})

it('speaks, and transcribes in each form', async () => {
  const { simulation, openai } = await open({ webhooks: false })
  await simulation.reply({ when: { text: 'call.mp3' }, text: 'Hello there.' })
  const file = await toFile(Buffer.from('x'), 'call.mp3')
  const ask = { file, model: 'whisper-1' }
  const speak = (response_format: 'flac' | 'mp3' | 'opus' | 'pcm' | 'wav') =>
    openai.audio.speech.create({ model: 'gpt-4o-mini-tts', voice: 'alloy', input: 'Hello', response_format })

  const sounds = await Promise.all([speak('mp3'), speak('wav'), speak('pcm'), speak('opus'), speak('flac')])
  const subtitles = await openai.audio.transcriptions.create({ ...ask, response_format: 'srt' })
  const verbose = await openai.audio.transcriptions.create({
    ...ask,
    response_format: 'verbose_json',
    timestamp_granularities: ['word', 'segment'],
  })
  const streamed = await collect(
    await openai.audio.transcriptions.create({ ...ask, model: 'gpt-4o-transcribe', stream: true }),
  )

  expect(sounds.map(({ headers }) => headers.get('content-type'))).toEqual([
    'audio/mpeg',
    'audio/wav',
    'audio/pcm',
    'audio/opus',
    'audio/flac',
  ])
  expect(subtitles).toBe('1\n00:00:00,000 --> 00:00:01,000\nHello there.\n\n')
  expect(verbose.words?.map(({ word }) => word)).toEqual(['Hello', 'there'])
  expect(verbose.segments).toMatchObject([{ start: 0, end: 1, text: 'Hello there.' }])
  expect(streamed.at(-1)).toMatchObject({ type: 'transcript.text.done', text: 'Hello there.' })
})

it('checks the lines of a batch for responses, and expires a batch whose lines wait too long', async () => {
  const { simulation, openai } = await open()
  await simulation.reply({ when: { text: 'late' }, error: { status: 408, code: 'batch_expired' } })
  const create = async (...bodies: object[]) => {
    const url = '/v1/responses' as const
    const lines = bodies.map((body, at) =>
      JSON.stringify({ custom_id: `r${at}`, method: 'POST', url, body: { model: 'gpt-5', ...body } }),
    )
    const file = await openai.files.create({
      file: await toFile(Buffer.from(lines.join('\n')), 'in.jsonl'),
      purpose: 'batch',
    })
    return openai.batches.create({ input_file_id: file.id, endpoint: url, completion_window: '24h' })
  }
  const failuresOf = async (id: string) => {
    const { error_file_id } = await openai.batches.retrieve(id)
    const text = await (await openai.files.content(String(error_file_id))).text()
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  const stray = { type: 'function_call_output', call_id: 'c1', output: 'x' }
  const checked = await create({ input: [stray] }, {}, { input: 'Hi', temperature: 9 }, { input: 'Hi' })
  const expired = await create({ input: 'Hi' }, { input: 'late' })
  await simulation.fastForward({ hours: 2 })
  const working = await openai.batches.retrieve(expired.id)
  await simulation.fastForward({ hours: 22 })
  const ended = await openai.batches.retrieve(expired.id)

  const failures = (await failuresOf(checked.id)).map(({ response }) => response)
  expect(failures.map(({ status_code }) => status_code)).toEqual([400, 400, 400])
  expect(failures[2].body.error).toMatchObject({ code: 'decimal_above_max_value', param: 'temperature' })
  expect(working.status).toBe('in_progress')
  expect(ended).toMatchObject({ status: 'expired', request_counts: { total: 2, completed: 1, failed: 1 } })
  expect(await failuresOf(expired.id)).toMatchObject([{ custom_id: 'r1', error: { code: 'batch_expired' } }])
  await simulation.expectWebhook('batch.expired')
})

it('streams a picture with its drafts', async () => {
  const { openai } = await open({ webhooks: false })
  const request = { prompt: 'A cat', model: 'gpt-image-1', stream: true as const, partial_images: 2 }
  const image = await toFile(Buffer.from('\x89PNG', 'latin1'), 'a.png')

  const types: string[] = []
  for await (const event of await openai.images.generate(request)) types.push(event.type)
  for await (const event of await openai.images.edit({ ...request, image })) types.push(event.type)

  expect(types).toEqual(
    ['image_generation', 'image_edit'].flatMap((kind) => [
      `${kind}.partial_image`,
      `${kind}.partial_image`,
      `${kind}.completed`,
    ]),
  )
})
