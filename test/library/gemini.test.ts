import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPartFromUri, FunctionCallingConfigMode, GoogleGenAI, type Part, Type } from '@google/genai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'

const model = 'gemini-2.5-flash'
const WEATHER = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] },
}

async function open(options: Parameters<typeof createSimulation>[1] = {}) {
  const simulation = await createSimulation('gemini', { webhooks: false, ...options })
  const ai = new GoogleGenAI({ apiKey: simulation.key, httpOptions: { baseUrl: simulation.url } })
  return { simulation, ai }
}

async function all<T>(items: Promise<AsyncIterable<T>> | AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of await items) found.push(item)
  return found
}

it('runs functions by itself, in a chat that streams, by the scripts of any provider', async () => {
  const { simulation, ai } = await open({ replies: 'strict' })
  await simulation.reply({
    when: { text: 'Rome', system: 'brief' },
    toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }],
  })
  await simulation.reply({ when: { toolResult: 'sunny' }, text: 'Take a hat.' })
  await simulation.reply({ when: { text: 'And then?', turn: 3 }, text: 'Swim.' })
  const weather = {
    tool: async () => ({ functionDeclarations: [WEATHER] }),
    callTool: async (calls: { id?: string; name?: string }[]): Promise<Part[]> =>
      calls.map(({ id, name }) => ({
        functionResponse: { ...(id && { id }), ...(name && { name }), response: { output: 'sunny' } },
      })),
  }

  for (const name of ['gemini-2.5-flash', 'gemini-3-pro-preview']) {
    const chat = ai.chats.create({ model: name, config: { systemInstruction: 'Be brief.', tools: [weather] } })
    const first = await all(chat.sendMessageStream({ message: 'Weather in Rome?' }))
    const second = await chat.sendMessage({ message: 'And then?' })

    expect(first.map(({ text }) => text ?? '').join('')).toBe('Take a hat.')
    expect(second.text).toBe('Swim.')
    expect(chat.getHistory(true).map(({ role }) => role)).toContain('model')
  }
  expect((await simulation.prompts())[0]).toMatchObject({ turn: 3, system: 'Be brief.', tools: ['weather'] })
})

it('streams what the plain answer has, with thoughts, calls and the same usage', async () => {
  const { simulation, ai } = await open()
  const toolCalls = [{ name: 'weather', arguments: { city: 'Rome' } }]
  await simulation.reply({ when: { text: 'x' }, reasoning: 'Hm hm.', text: 'Let me look.', toolCalls })
  const request = {
    model,
    contents: 'x',
    config: { thinkingConfig: { includeThoughts: true }, tools: [{ functionDeclarations: [WEATHER] }] },
  }

  const plain = await ai.models.generateContent(request)
  const chunks = await all(ai.models.generateContentStream(request))
  const counted = await ai.models.countTokens({ model, contents: 'x' })
  const bare = await ai.models.generateContent({ model, contents: 'x' })

  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const textOf = (isThought: boolean) =>
    parts
      .filter(({ thought }) => (thought === true) === isThought)
      .map(({ text }) => text)
      .join('')
  expect(plain).toMatchObject({ text: 'Let me look.', functionCalls: [{ name: 'weather', args: { city: 'Rome' } }] })
  expect(plain.candidates?.[0]).toMatchObject({
    finishReason: 'STOP',
    content: {
      role: 'model',
      parts: [{ text: 'Hm hm.', thought: true }, {}, { thoughtSignature: expect.any(String) }],
    },
  })
  expect([textOf(true), textOf(false)]).toEqual(['Hm hm.', 'Let me look.'])
  expect(chunks.flatMap(({ functionCalls }) => functionCalls ?? [])).toMatchObject([{ args: { city: 'Rome' } }])
  expect(chunks.at(-1)?.usageMetadata).toEqual(plain.usageMetadata)
  expect(plain.usageMetadata?.thoughtsTokenCount).toBeGreaterThan(0)
  expect(counted.totalTokens).toBe(bare.usageMetadata?.promptTokenCount)
})

it('generates what fits a schema of either kind, an enum, and the arguments of an allowed function', async () => {
  const { ai } = await open()
  const responseSchema = {
    type: Type.OBJECT,
    properties: {
      total: { type: Type.INTEGER },
      tags: { type: Type.ARRAY, items: { type: Type.STRING }, minItems: '2' },
    },
    required: ['total', 'tags'],
  }
  const json = { responseMimeType: 'application/json' }
  const never = { name: 'never', parametersJsonSchema: { type: 'object' } }
  const functionCallingConfig = { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ['weather'] }

  const typed = await ai.models.generateContent({ model, contents: 'x', config: { ...json, responseSchema } })
  const plain = await ai.models.generateContent({
    model,
    contents: 'x',
    config: { ...json, responseJsonSchema: { type: 'object', properties: { a: { const: 3 } }, required: ['a'] } },
  })
  const chosen = await ai.models.generateContent({
    model,
    contents: 'x',
    config: { responseMimeType: 'text/x.enum', responseSchema: { type: Type.STRING, enum: ['red'] } },
  })
  const called = await ai.models.generateContent({
    model,
    contents: 'x',
    config: { tools: [{ functionDeclarations: [never, WEATHER] }], toolConfig: { functionCallingConfig } },
  })

  expect(JSON.parse(typed.text ?? '')).toEqual({ total: expect.any(Number), tags: expect.any(Array) })
  expect(JSON.parse(plain.text ?? '')).toEqual({ a: 3 })
  expect(chosen.text).toBe('red')
  expect(called.functionCalls).toMatchObject([{ name: 'weather', args: { city: expect.any(String) } }])
})

it('stops at sequences, at the limit and for safety, and answers several candidates', async () => {
  const { simulation, ai } = await open()
  const text = 'one two three'
  await simulation.reply([{ text }, { text }, { refusal: 'No.' }, { text: 'a' }, { text: 'b' }])
  const ask = (config: object) => ai.models.generateContent({ model, contents: 'x', config })

  const stopped = await ask({ stopSequences: [' three'] })
  const limited = await ask({ maxOutputTokens: 2 })
  const blocked = await ask({})
  const both = await ask({ candidateCount: 2 })

  expect([stopped.text, stopped.candidates?.[0]?.finishReason]).toEqual(['one two', 'STOP'])
  expect(limited.candidates?.[0]?.finishReason).toBe('MAX_TOKENS')
  expect(limited.usageMetadata?.candidatesTokenCount).toBe(2)
  expect(blocked.candidates).toMatchObject([{ finishReason: 'SAFETY', safetyRatings: expect.any(Array) }])
  expect(both.candidates?.map(({ content }) => content?.parts?.[0]?.text)).toEqual(['a', 'b'])
})

it('answers errors in the form of Google', async () => {
  const { simulation, ai } = await open()
  const ask = (contents: object | string, config = {}, name = model) =>
    ai.models
      .generateContent({ model: name, contents: contents as string, config })
      .then(String, ({ status, message }) => {
        const { error } = JSON.parse(message)
        return [status, error.code, error.status, error.message]
      })
  const call = { role: 'model', parts: [{ functionCall: { name: 'weather', args: {} } }] }
  const result = { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'sunny' } } }] }
  const stranger = new GoogleGenAI({ apiKey: 'wrong', httpOptions: { baseUrl: simulation.url } })
  await simulation.reply({ when: { text: 'busy' }, error: { status: 503, message: 'Busy.' } })

  expect(await ask('busy')).toEqual([503, 503, 'UNAVAILABLE', 'Busy.'])
  expect(await ask('x', {}, 'gpt-5')).toMatchObject([404, 404, 'NOT_FOUND', expect.stringContaining('models/gpt-5')])
  expect(await ask([{ role: 'system', parts: [{ text: 'x' }] }])).toContain(400)
  expect(await ask('x', { temperature: 3 })).toContain('INVALID_ARGUMENT')
  expect(await ask('x', { responseMimeType: 'application/json', tools: [{ googleSearch: {} }] })).toContain(
    "Tool use with a response mime type: 'application/json' is unsupported",
  )
  expect(
    await ask([{ role: 'user', parts: [{ text: 'x' }] }, call, { role: 'user', parts: [{ text: 'y' }] }]),
  ).toContain(400)
  expect(await ask([result])).toContain(400)
  expect(await ask([{ role: 'user', parts: [{ text: 'x' }] }, call, result])).toContain('[object Object]')
  expect(await ask([{ role: 'user', parts: [{ text: 'x' }] }, call, result], {}, 'gemini-3-pro-preview')).toMatchObject(
    {
      3: expect.stringContaining('thought_signature'),
    },
  )
  await expect(stranger.models.generateContent({ model, contents: 'x' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('API_KEY_INVALID'),
  })
  await simulation.failNext(1, { status: 429 })
  expect(await ask('x')).toContain('RESOURCE_EXHAUSTED')
})

it('streams a JSON array without `alt=sse`, takes the key in the query, and names in either case', async () => {
  const { simulation } = await open()
  await simulation.reply({ when: { system: 'brief' }, text: 'one two' })
  const body = {
    contents: { parts: { text: 'x' } },
    system_instruction: { parts: [{ text: 'Be brief.' }] },
    generation_config: { max_output_tokens: 1 },
  }
  const post = (path: string) => fetch(`${simulation.url}${path}`, { method: 'POST', body: JSON.stringify(body) })

  const plain = await post(`/v1/models/${model}:streamGenerateContent?key=${simulation.key}`)
  const events = await post(`/v1beta/models/${model}:streamGenerateContent?alt=sse&key=${simulation.key}`)
  const without = await post(`/v1beta/models/${model}:generateContent`)

  const chunks = await plain.json()
  expect(chunks.at(0)).toMatchObject({ candidates: [{ content: { parts: [{ text: 'one' }] } }] })
  expect(chunks.at(-1)).toMatchObject({ candidates: [{ finishReason: 'MAX_TOKENS' }] })
  expect(await events.text()).toMatch(/^data: \{.*\}\n\n/)
  expect(without.status).toBe(403)
})

it('breaks a stream by an error, and by a clean early end', async () => {
  const { simulation, ai } = await open()
  await simulation.reply([
    { text: 'one two three', stream: { errorAfter: 2 } },
    { text: 'one two three', stream: { endAfter: 2 } },
  ])
  const ask = async () => all(await ai.models.generateContentStream({ model, contents: 'x' }))

  await expect(ask()).rejects.toMatchObject({ status: 503 })
  expect((await ask()).at(-1)?.candidates?.[0]?.finishReason).toBeUndefined()
})

it('keeps files for 48 hours, and processes a video for ten seconds', async () => {
  const { simulation, ai } = await open()
  const folder = await mkdtemp(join(tmpdir(), 'gemini-'))
  await writeFile(join(folder, 'a.txt'), 'Hello')
  const ask = (uri: string) => ai.models.generateContent({ model, contents: [createPartFromUri(uri, 'video/mp4')] })

  const text = await ai.files.upload({ file: join(folder, 'a.txt'), config: { name: 'hello' } })
  const video = await ai.files.upload({ file: new Blob(['film'], { type: 'video/mp4' }) })
  const early = ask(String(video.uri))
  await expect(early).rejects.toMatchObject({ message: expect.stringContaining('ACTIVE state') })
  const listed = await all(ai.files.list({ config: { pageSize: 1 } }))
  await simulation.fastForward({ hours: 1 })
  const ready = await ai.files.get({ name: String(video.name) })
  const answered = await ask(String(video.uri))
  await simulation.fastForward({ hours: 47 })

  expect(text).toMatchObject({ name: 'files/hello', mimeType: 'text/plain', sizeBytes: '5', state: 'ACTIVE' })
  expect(video.state).toBe('PROCESSING')
  expect(listed.map(({ mimeType }) => mimeType)).toEqual(['video/mp4', 'text/plain'])
  expect(ready).toMatchObject({ state: 'ACTIVE', videoMetadata: { videoDuration: '10s' } })
  expect(answered.text).toMatch(/^Simulated reply/)
  await expect(ai.files.get({ name: 'hello' })).rejects.toMatchObject({ status: 403 })
  await expect(ask(String(video.uri))).rejects.toMatchObject({ status: 403 })
})

it('takes an upload in several requests, and in one', async () => {
  const { simulation } = await open()
  const post = (url: string, command: string, body: string, headers = {}) =>
    fetch(url, { method: 'POST', headers: { 'x-goog-upload-command': command, ...headers }, body })

  const started = await post(`${simulation.url}/upload/v1beta/files?key=${simulation.key}`, 'start', '{"file":{}}', {
    'x-goog-upload-protocol': 'resumable',
    'content-type': 'application/json',
  })
  const url = String(started.headers.get('x-goog-upload-url'))
  await post(url, 'upload', 'Hel', { 'x-goog-upload-offset': '0' })
  const where = await post(url, 'query', '')
  const ended = await post(url, 'upload, finalize', 'lo', { 'x-goog-upload-offset': '3' })

  const type = 'multipart/related; boundary=b'
  const body = '--b\r\n\r\n{"file":{"displayName":"Old"}}\r\n--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n--b--'
  const whole = await fetch(`${simulation.url}/upload/v1beta/files?uploadType=multipart&key=${simulation.key}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  })

  expect(await whole.json()).toMatchObject({ file: { displayName: 'Old', sizeBytes: '5', mimeType: 'text/plain' } })
  expect(where.headers.get('x-goog-upload-size-received')).toBe('3')
  expect(ended.headers.get('x-goog-upload-status')).toBe('final')
  expect(await ended.json()).toMatchObject({ file: { sizeBytes: '5', state: 'ACTIVE' } })
})

it('caches content until its time is over', async () => {
  const { simulation, ai } = await open()
  await simulation.reply({ when: { system: 'pirate' }, text: 'Arr.' })
  const config = { systemInstruction: 'You are a pirate.', contents: 'A long book. '.repeat(400), ttl: '3600s' }

  await expect(ai.caches.create({ model, config: { contents: 'A note.' } })).rejects.toThrow(
    'min_total_token_count=1024',
  )
  const cache = await ai.caches.create({ model, config })
  const name = String(cache.name)
  const answer = await ai.models.generateContent({ model, contents: 'x', config: { cachedContent: name } })
  const both = ai.models.generateContent({
    model,
    contents: 'x',
    config: { cachedContent: name, systemInstruction: 'y' },
  })
  await expect(both).rejects.toMatchObject({ status: 400 })
  const longer = await ai.caches.update({ name, config: { ttl: '7200s' } })
  const listed = await all(ai.caches.list())
  await simulation.fastForward({ hours: 2 })

  expect(answer.text).toBe('Arr.')
  expect(answer.usageMetadata?.cachedContentTokenCount).toBe(cache.usageMetadata?.totalTokenCount)
  expect(answer.usageMetadata?.promptTokenCount).toBeGreaterThan(Number(cache.usageMetadata?.totalTokenCount))
  expect(String(longer.expireTime) > String(cache.expireTime)).toBe(true)
  expect(listed).toHaveLength(1)
  await expect(ai.caches.get({ name })).rejects.toMatchObject({ status: 403 })
  await expect(
    ai.models.generateContent({ model, contents: 'x', config: { cachedContent: name } }),
  ).rejects.toMatchObject({ status: 403 })
})

it('ends batches as time passes, inline and by file, with results and errors', async () => {
  const { simulation, ai } = await open({ webhooks: true })
  await simulation.reply({ when: { text: 'first' }, text: 'One.' })
  await simulation.reply({ when: { text: 'second' }, error: { status: 503 } })
  const request = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] })
  const lines = ['first', 'second'].map((text) => JSON.stringify({ key: text, request: request(text) })).join('\n')
  const file = await ai.files.upload({ file: new Blob([lines], { type: 'application/jsonl' }) })

  const inline = await ai.batches.create({
    model,
    src: [{ ...request('first'), metadata: { key: 'a' } }, request('second')],
  })
  const byFile = await ai.batches.create({ model, src: String(file.name), config: { displayName: 'night' } })
  const cancelled = await ai.batches.create({ model, src: [request('first')] })
  await ai.batches.cancel({ name: String(cancelled.name) })
  await simulation.fastForward({ minutes: 30 })
  const running = await ai.batches.get({ name: String(inline.name) })
  await simulation.fastForward({ hours: 1 })
  const ended = await ai.batches.get({ name: String(inline.name) })
  const written = await ai.batches.get({ name: String(byFile.name) })
  const downloadPath = join(await mkdtemp(join(tmpdir(), 'gemini-')), 'answers.jsonl')
  await ai.files.download({ file: String(written.dest?.fileName), downloadPath })

  expect([inline.state, running.state, ended.state]).toEqual([
    'JOB_STATE_PENDING',
    'JOB_STATE_RUNNING',
    'JOB_STATE_SUCCEEDED',
  ])
  expect(ended.dest?.inlinedResponses).toMatchObject([
    { metadata: { key: 'a' }, response: { candidates: [{ content: { parts: [{ text: 'One.' }] } }] } },
    { error: { code: 14 } },
  ])
  expect(
    (await readFile(downloadPath, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).key),
  ).toEqual(['first', 'second'])
  expect((await ai.batches.get({ name: String(cancelled.name) })).state).toBe('JOB_STATE_CANCELLED')
  expect(await all(ai.batches.list({ config: { pageSize: 2 } }))).toHaveLength(3)
  await simulation.expectWebhook('batch.succeeded')
  await ai.batches.delete({ name: String(inline.name) })
  await expect(ai.batches.get({ name: String(inline.name) })).rejects.toMatchObject({ status: 404 })
})

it('embeds texts, so that similar ones are near', async () => {
  const { ai } = await open()
  const contents = ['plum jam', 'jam of plums', 'a steel bridge']

  const { embeddings = [] } = await ai.models.embedContent({ model: 'gemini-embedding-001', contents })
  const small = await ai.models.embedContent({
    model: 'text-embedding-004',
    contents: 'x',
    config: { outputDimensionality: 8 },
  })

  const near = (a: number, b: number) =>
    (embeddings[a]?.values ?? []).reduce((sum, value, at) => sum + value * (embeddings[b]?.values?.[at] ?? 0), 0)
  expect(embeddings[0]?.values).toHaveLength(3_072)
  expect(near(0, 1)).toBeGreaterThan(near(0, 2) + 0.2)
  expect(small.embeddings?.[0]?.values).toHaveLength(8)
})

it('continues interactions, streams their steps, and answers them in the background', async () => {
  const { simulation, ai } = await open()
  await simulation.reply({
    when: { text: 'Rome' },
    reasoning: 'Hm.',
    text: 'I look.',
    toolCalls: [{ name: 'weather', arguments: { city: 'Rome' }, id: 'c1' }],
  })
  await simulation.reply({ when: { toolResult: 'sunny', turn: 2 }, text: 'Take a hat.' })
  const tools = [{ type: 'function' as const, name: 'weather', parameters: WEATHER.parameters }]
  const result = { type: 'function_result' as const, call_id: 'c1', name: 'weather', result: 'sunny' }

  const first = await ai.interactions.create({ model, input: 'Rome?', tools })
  const events = await all(ai.interactions.create({ model, input: 'Rome?', tools, stream: true }))
  const second = await ai.interactions.create({ model, input: [result], tools, previous_interaction_id: first.id })
  const late = await ai.interactions.create({ model, input: 'Hi', background: true })
  const cancelled = await ai.interactions.create({ model, input: 'Hi', background: true })
  await ai.interactions.cancel(cancelled.id)
  await simulation.fastForward({ minutes: 15 })
  const again = await all(ai.interactions.get(second.id, { stream: true }))
  await ai.interactions.delete(first.id)

  expect(first).toMatchObject({
    status: 'requires_action',
    steps: [
      { type: 'thought' },
      { type: 'model_output' },
      { type: 'function_call', id: 'c1', arguments: { city: 'Rome' } },
    ],
  })
  expect(events.map(({ event_type }) => event_type).filter((type) => type !== 'step.delta')).toEqual([
    'interaction.created',
    'interaction.status_update',
    ...[0, 1, 2].flatMap(() => ['step.start', 'step.stop']),
    'interaction.completed',
  ])
  expect(second).toMatchObject({ status: 'completed', output_text: 'Take a hat.' })
  expect(late.status).toBe('in_progress')
  expect(await ai.interactions.get(late.id)).toMatchObject({ status: 'completed' })
  expect(await ai.interactions.get(cancelled.id)).toMatchObject({ status: 'cancelled' })
  expect(again.at(-1)).toMatchObject({ event_type: 'interaction.completed' })
  await expect(ai.interactions.get(first.id)).rejects.toMatchObject({ status: 404 })
})

it('makes a picture and a sound', async () => {
  const { ai } = await open()
  const ask = (name: string, config: object) => ai.models.generateContent({ model: name, contents: 'x', config })

  const picture = await ask('gemini-2.5-flash-image', { responseModalities: ['IMAGE'] })
  const sound = await ask('gemini-2.5-flash-preview-tts', { responseModalities: ['AUDIO'] })
  const drawn = { model: 'gemini-3-pro-image-preview', input: 'x', response_modalities: ['image' as const] }
  const { steps } = await ai.interactions.create(drawn)
  const events = await all(ai.interactions.create({ ...drawn, stream: true }))

  expect(picture.candidates?.[0]?.content?.parts).toMatchObject([{ inlineData: { mimeType: 'image/png' } }])
  expect(Buffer.from(sound.data ?? '', 'base64')).toHaveLength(4_800)
  expect(steps).toMatchObject([{ type: 'model_output', content: [{ type: 'image', mime_type: 'image/png' }] }])
  expect(events).toContainEqual(expect.objectContaining({ delta: expect.objectContaining({ type: 'image' }) }))
})

it('grounds answers by the tools of Google, counts pictures, and refuses names it does not know', async () => {
  const { simulation, ai } = await open()
  const result = [{ url: 'https://a.test/', title: 'A' }]
  await simulation.reply({ when: { text: 'Who won' }, toolCalls: [{ name: 'googleSearch', result }], text: 'Spain.' })
  const tools = [{ googleSearch: {} }, { codeExecution: {} }]
  const picture = {
    inlineData: { mimeType: 'image/gif', data: Buffer.from('GIF89a\0\x04\0\x04', 'latin1').toString('base64') },
  }
  const contents = [{ role: 'user', parts: [picture, { text: 'What is it?' }] }]
  const generate = async (body: object) => {
    const url = `${simulation.url}/v1beta/models/${model}:generateContent?key=${simulation.key}`
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as { error?: { message: string; details?: object[] } }
  }
  const field = (path: string) => `* GenerateContentRequest.${path}`
  const refused: [object, string][] = [
    [{ generationConfig: { topQ: 1 } }, `Unknown name "topQ" at 'generation_config': Cannot find field.`],
    [{ generationConfig: { temperature: 'a' } }, `Invalid value at 'generation_config.temperature' (TYPE_FLOAT), "a"`],
    [{ generationConfig: { seed: 1.5 } }, `Invalid value at 'generation_config.seed' (TYPE_INT32), 1.5`],
    [{ generationConfig: { responseModalities: ['X'] } }, `v1beta.Modality), "X"`],
    [{ generationConfig: { responseMimeType: 'text/xml' } }, field('generation_config.response_mime_type: allowed')],
    [{ generationConfig: { thinkingConfig: { thinkingBudget: 99_999 } } }, 'Please choose a value between 0 and 24576'],
    [{ contents: [{ parts: [{ txt: 'x' }] }] }, `Unknown name "txt" at 'contents[0].parts[0]'`],
    [{ contents: [{ parts: [{ text: 5 }] }] }, `Invalid value at 'contents[0].parts[0].text' (TYPE_STRING), 5`],
    [{ contents: [{ parts: [{ text: 'x', ...picture }] }] }, "oneof field 'data' is already set"],
    [{ systemInstruction: 'x' }, `Invalid value at 'system_instruction'`],
    [{ safetySettings: [{ category: 'X' }] }, `v1beta.HarmCategory), "X"`],
    ...(
      [
        [{ type: 'OBJECT', additionalProperties: false }, `Unknown name "additionalProperties" at 'tools[0].function`],
        [{ type: 'OBJECT', properties: {} }, 'parameters.properties: should be non-empty for OBJECT type'],
        [{ type: 'OBJECT', properties: { a: { type: 'ARRAY' } } }, 'parameters.properties[a].items: missing field.'],
      ] as const
    ).map(([parameters, message]): [object, string] => [
      { tools: [{ functionDeclarations: [{ name: 'f', parameters }] }] },
      message,
    ]),
    [{ tools: [...tools, { functionDeclarations: [{ name: 'f' }] }] }, 'Tool use with function calling is unsupported'],
    [{ toolConfig: { functionCallingConfig: { mode: 'ANY' } } }, 'is set without function_declarations'],
  ]

  const grounded = await ai.models.generateContent({ model, contents: 'Who won?', config: { tools } })
  const computed = await ai.models.generateContent({ model, contents: 'Sum', config: { tools } })
  const seen = await ai.models.generateContent({ model, contents })
  const { totalTokens } = await ai.models.countTokens({ model, contents })
  const wrong = await Promise.all(refused.map(([body]) => generate({ contents, ...body })))

  expect(grounded.candidates?.[0]?.groundingMetadata?.groundingChunks).toEqual([
    { web: { uri: 'https://a.test/', title: 'A' } },
  ])
  expect(computed.executableCode).toContain('Simulated')
  expect(seen.usageMetadata?.promptTokensDetails).toContainEqual({ modality: 'IMAGE', tokenCount: 4 * 258 })
  expect(totalTokens).toBe(seen.usageMetadata?.promptTokenCount)
  expect(wrong.map(({ error }) => error?.message)).toEqual(
    refused.map(([, message]) => expect.stringContaining(message)),
  )
  expect(wrong[0]?.error?.details).toMatchObject([{ fieldViolations: [{ field: 'generation_config' }] }])
})

it('answers clients of OpenAI at the address that Google has for them', async () => {
  const { simulation } = await open()
  await simulation.reply([
    { text: 'Hello.' },
    { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] },
    { error: { status: 429 } },
  ])
  const openai = new OpenAI({ apiKey: simulation.key, baseURL: `${simulation.url}/v1beta/openai/`, maxRetries: 0 })
  const chat = { model, messages: [{ role: 'user' as const, content: 'Hi' }] }

  const answer = await openai.chat.completions.create(chat)
  const tools = [{ type: 'function' as const, function: { name: 'weather' } }]
  const called = await openai.chat.completions.stream({ ...chat, tools }).finalChatCompletion()
  const { data } = await openai.embeddings.create({ model: 'gemini-embedding-001', input: ['a'], dimensions: 256 })
  const listed = await openai.models.list()

  await expect(openai.chat.completions.create(chat)).rejects.toMatchObject({ status: 429 })
  await expect(openai.chat.completions.create({ ...chat, model: 'gpt-4o' })).rejects.toMatchObject({ status: 404 })
  expect(answer.choices).toMatchObject([{ finish_reason: 'stop', message: { content: 'Hello.' } }])
  expect(called.choices[0]?.message.tool_calls).toMatchObject([{ function: { arguments: '{"city":"Rome"}' } }])
  expect(data[0]?.embedding).toHaveLength(256)
  expect(listed.data.map(({ id }) => id)).toContain('models/gemini-2.5-pro')
})
