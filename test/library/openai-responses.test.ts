import OpenAI, { toFile } from 'openai'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { collect } from '../support/collect.ts'

const model = 'gpt-5'

async function open(options: Parameters<typeof createSimulation>[1] = {}) {
  const simulation = await createSimulation('openai', { webhooks: false, ...options })
  const openai = new OpenAI({ apiKey: simulation.key, baseURL: `${simulation.url}/v1` })
  return { simulation, openai }
}

const WEATHER = {
  type: 'function' as const,
  name: 'get_weather',
  strict: true,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}

it('answers with text, and remembers the response that a later one follows', async () => {
  const { simulation, openai } = await open({ replies: 'strict' })
  await simulation.reply([{ text: 'Hello.' }, { text: 'You said hi.' }])

  const first = await openai.responses.create({ model, input: 'Hi', instructions: 'Be brief.' })
  const second = await openai.responses.create({ model, input: 'What did I say?', previous_response_id: first.id })

  expect(first).toMatchObject({ status: 'completed', output_text: 'Hello.' })
  expect(second.output_text).toBe('You said hi.')
  expect(await simulation.prompts()).toMatchObject([
    { text: 'What did I say?', turn: 2, system: '' },
    { text: 'Hi', turn: 1, system: 'Be brief.' },
  ])
  expect(await openai.responses.retrieve(first.id)).toMatchObject({ id: first.id, output_text: 'Hello.' })
  expect((await openai.responses.inputItems.list(first.id)).data).toMatchObject([{ role: 'user', type: 'message' }])
  await openai.responses.delete(first.id)
  await expect(openai.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 })
  await expect(openai.responses.create({ model, input: 'x', previous_response_id: first.id })).rejects.toMatchObject({
    status: 400,
    code: 'previous_response_not_found',
  })
})

it('calls functions, and takes their results', async () => {
  const { simulation, openai } = await open({ replies: 'strict' })
  await simulation.reply({ when: { text: 'Rome' }, toolCalls: [{ name: 'get_weather', arguments: { city: 'Rome' } }] })
  await simulation.reply({ when: { toolResult: 'sunny' }, text: 'Take a hat.' })

  const first = await openai.responses.create({ model, input: 'Weather in Rome?', tools: [WEATHER] })
  const [call] = first.output
  const call_id = call?.type === 'function_call' ? call.call_id : ''
  const second = await openai.responses.create({
    model,
    tools: [WEATHER],
    previous_response_id: first.id,
    input: [{ type: 'function_call_output', call_id, output: 'sunny' }],
  })

  expect(first.output).toMatchObject([{ type: 'function_call', name: 'get_weather', arguments: '{"city":"Rome"}' }])
  expect(second.output_text).toBe('Take a hat.')
})

it('streams reasoning, calls and texts as the SDK reads them', async () => {
  const { simulation, openai } = await open()
  const toolCalls = [{ name: 'get_weather', arguments: { city: 'Rome' } }]
  await simulation.reply([
    { reasoning: 'The user wants the weather.', toolCalls, text: 'Looking.' },
    { refusal: 'I will not.' },
    { text: 'one two three', stream: { errorAfter: 2, error: { code: 'overloaded', message: 'Too much.' } } },
  ])
  const types: string[] = []

  const stream = openai.responses.stream({ model, input: 'Rome', tools: [WEATHER], reasoning: { summary: 'auto' } })
  stream.on('event', ({ type }) => types.push(type))
  const response = await stream.finalResponse()
  const refused = await openai.responses.stream({ model, input: 'x' }).finalResponse()
  const failing = openai.responses.stream({ model, input: 'x' }).finalResponse()

  expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call'])
  expect(response).toMatchObject({ status: 'completed', output_text: 'Looking.' })
  expect(types).toContain('response.reasoning_summary_text.delta')
  expect(types.at(-1)).toBe('response.completed')
  expect(refused.output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'I will not.' }] }])
  await expect(failing).rejects.toThrow('Too much.')
  const resumed = await openai.responses.retrieve(response.id, { stream: true, starting_after: 1 })
  expect((await collect(resumed)).map(({ type }) => type)).toEqual(types.slice(2))
})

it('shows the likelihood of each piece where it is asked for', async () => {
  const { simulation, openai } = await open()
  await simulation.reply({ text: 'one two' })
  const include = ['message.output_text.logprobs' as const]

  const stream = openai.responses.stream({ model, input: 'x', include, top_logprobs: 2 })
  const { output } = await stream.finalResponse()

  const tokens = ['one', ' two'].map((token) => ({ token, top_logprobs: [{ token }, { token: `${token}1` }] }))
  expect(output).toMatchObject([{ content: [{ logprobs: tokens }] }])
})

it('parses structured output', async () => {
  const { openai } = await open()
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: ['integer', 'null'] } },
    required: ['name', 'age'],
    additionalProperties: false,
  }

  const response = await openai.responses.parse({
    model,
    input: 'Extract it.',
    text: { format: { type: 'json_schema', name: 'person', strict: true, schema } },
  })

  expect(response.output_parsed).toEqual({ name: expect.any(String), age: expect.anything() })
})

it('cuts at the limit of tokens', async () => {
  const { simulation, openai } = await open()
  const words = Array.from({ length: 20 }, () => 'word').join(' ')
  await simulation.reply({ text: words })

  const response = await openai.responses.create({ model, input: 'x', max_output_tokens: 16 })

  expect(response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output_text: words.slice(0, 16 * 5 - 1),
  })
})

it('keeps the items of a conversation', async () => {
  const { simulation, openai } = await open()
  const items = [{ type: 'message' as const, role: 'user' as const, content: 'My name is Ada.' }]
  const { id } = await openai.conversations.create({ items, metadata: { topic: 'names' } })
  await simulation.reply({ text: 'Ada.' })

  await openai.responses.create({ model, input: 'Who am I?', conversation: id })
  const listed = await collect(await openai.conversations.items.list(id, { order: 'asc' }))
  const item = String(listed[0]?.id)

  expect(listed.map((one) => (one.type === 'message' ? one.role : one.type))).toEqual(['user', 'user', 'assistant'])
  expect(await openai.conversations.items.retrieve(item, { conversation_id: id })).toEqual(listed[0])
  await openai.conversations.items.delete(item, { conversation_id: id })
  expect((await openai.conversations.items.list(id)).data).toHaveLength(2)
  expect(await openai.conversations.update(id, { metadata: { topic: 'x' } })).toMatchObject({
    metadata: { topic: 'x' },
  })
  await openai.conversations.delete(id)
  await expect(openai.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 })
})

it('streams a response in the background, whose end is a webhook', async () => {
  const simulation = await createSimulation('openai')
  const openai = new OpenAI({ apiKey: simulation.key, baseURL: `${simulation.url}/v1` })
  const stream = await openai.responses.create({ model, input: 'slow', background: true, stream: true })

  const events: OpenAI.Responses.ResponseStreamEvent[] = []
  for await (const event of stream) events.push(event)
  const last = events.at(-1)
  const id = last?.type === 'response.completed' ? last.response.id : ''

  await simulation.expectWebhook('response.completed', { data: { id } })
  expect(events.slice(0, 3)).toMatchObject([
    { type: 'response.created', response: { status: 'queued' } },
    { type: 'response.queued' },
    { type: 'response.in_progress', response: { status: 'in_progress' } },
  ])
})

it('answers in the background as time passes', async () => {
  const { simulation, openai } = await open()
  await simulation.reply({ when: { text: 'slow' }, text: 'Done.' })
  const queued = await openai.responses.create({ model, input: 'slow', background: true })
  const cancelled = await openai.responses.create({ model, input: 'slow', background: true })

  await openai.responses.cancel(cancelled.id)
  await simulation.fastForward({ minutes: 15 })

  expect(queued).toMatchObject({ status: 'queued', output: [] })
  expect(await openai.responses.retrieve(queued.id)).toMatchObject({ status: 'completed', output_text: 'Done.' })
  expect(await openai.responses.retrieve(cancelled.id)).toMatchObject({ status: 'cancelled' })
  expect((await simulation.prompts()).map(({ text }) => text)).toEqual(['slow', 'slow'])
})

it('counts the tokens of a prompt as its answer does', async () => {
  const { openai } = await open()
  const request = { model, input: 'How many?', instructions: 'Count.', tools: [WEATHER] }

  const counted = await openai.responses.inputTokens.count(request)
  const { usage } = await openai.responses.create(request)

  expect(counted.input_tokens).toBe(usage?.input_tokens)
})

it('continues no response that is not answered, and not one and a conversation together', async () => {
  const { openai } = await open()
  const queued = await openai.responses.create({ model, input: 'slow', background: true })
  const done = await openai.responses.create({ model, input: 'x' })
  const { id } = await openai.conversations.create({})
  const next = (previous_response_id: string, more = {}) =>
    openai.responses.create({ model, input: 'And?', previous_response_id, ...more })

  await expect(next(queued.id)).rejects.toMatchObject({ status: 400, param: 'previous_response_id' })
  await expect(next(done.id, { conversation: id })).rejects.toMatchObject({
    status: 400,
    code: 'mutually_exclusive_parameters',
  })
})

it('runs the tools of OpenAI by what scripts give back, and streams their steps', async () => {
  const { simulation, openai } = await open({ replies: 'strict' })
  const tools: OpenAI.Responses.Tool[] = [
    { type: 'web_search' },
    { type: 'code_interpreter', container: { type: 'auto' } },
    { type: 'image_generation', partial_images: 1 },
  ]
  const result = [{ url: 'https://a.test/', title: 'A' }]
  await simulation.reply({
    when: { text: 'News' },
    toolCalls: [{ name: 'web_search', arguments: {}, result }],
    text: 'Good.',
  })
  await simulation.reply({ when: { text: 'Draw' }, text: 'Done.' })
  const include: OpenAI.Responses.ResponseIncludable[] = ['code_interpreter_call.outputs']

  const searched = await openai.responses.create({ model, input: 'News?', tools })
  const streamed = openai.responses.stream({ model, input: 'Draw and count', tools, include })
  const types: string[] = []
  for await (const { type } of streamed) types.push(type)
  const drawn = await streamed.finalResponse()

  expect(searched.output).toMatchObject([
    { type: 'web_search_call', status: 'completed' },
    { content: [{ text: 'Good.', annotations: [{ type: 'url_citation', url: 'https://a.test/', title: 'A' }] }] },
  ])
  expect(drawn.output.map(({ type }) => type)).toEqual([...tools.map(({ type }) => `${type}_call`), 'message'])
  expect(types).toEqual(
    expect.arrayContaining([
      'response.web_search_call.searching',
      'response.code_interpreter_call_code.done',
      'response.image_generation_call.partial_image',
    ]),
  )
  expect((await simulation.requests()).flatMap(({ warnings }) => warnings)).toEqual([])
})

it('asks before it calls the tool of a server, and clicks where a script says so', async () => {
  const { simulation, openai } = await open({ replies: 'strict' })
  const mcp = { type: 'mcp' as const, server_label: 'dice', server_url: 'https://dice.test', allowed_tools: ['roll'] }
  const computer = { type: 'computer' as const }
  await simulation.reply({
    when: { text: 'Roll' },
    toolCalls: [{ name: 'roll', arguments: { sides: 6 }, result: '4' }],
    text: 'Four.',
  })
  await simulation.reply({
    when: { text: 'Click' },
    toolCalls: [{ name: 'computer', arguments: { type: 'click', x: 1 } }],
  })

  const asked = await openai.responses.create({ model, input: 'Roll', tools: [mcp] })
  const [, request] = asked.output
  const rolled = await openai.responses.create({
    model,
    tools: [mcp],
    previous_response_id: asked.id,
    input: [{ type: 'mcp_approval_response', approve: true, approval_request_id: request?.id ?? '' }],
  })
  const clicked = await openai.responses.create({ model, input: 'Click', tools: [computer] })

  expect(asked.output).toMatchObject([
    { type: 'mcp_list_tools', tools: [{ name: 'roll' }] },
    { type: 'mcp_approval_request', name: 'roll', arguments: '{"sides":6}' },
  ])
  expect(rolled.output).toMatchObject([
    { type: 'mcp_call', name: 'roll', output: '4', approval_request_id: request?.id },
    { content: [{ text: 'Four.' }] },
  ])
  expect(clicked.output).toMatchObject([{ type: 'computer_call', actions: [{ type: 'click', x: 1 }] }])
})

it('counts pictures and files by the formulas of OpenAI, and refuses those that are not there', async () => {
  const { openai } = await open()
  const pixels = Buffer.alloc(33)
  pixels.write('\x89PNG', 'latin1')
  pixels.writeUInt32BE(1_024, 16)
  pixels.writeUInt32BE(1_024, 20)
  const image_url = `data:image/png;base64,${pixels.toString('base64')}`
  const count = async (content: OpenAI.Responses.ResponseInputMessageContentList) =>
    (await openai.responses.inputTokens.count({ model: 'gpt-4o', input: [{ role: 'user', content }] })).input_tokens ??
    0
  const ask = (content: OpenAI.Responses.ResponseInputMessageContentList) =>
    openai.responses.create({ model: 'gpt-4o', input: [{ role: 'user', content }] })
  const { id: file_id } = await openai.files.create({
    file: await toFile(Buffer.from('%PDF-1.4 1 0 obj <</Type /Page>> endobj 2 0 obj <</Type /Page>> endobj'), 'a.pdf'),
    purpose: 'user_data',
  })

  const none = await count([])
  const low = await count([{ type: 'input_image', detail: 'low', image_url }])
  const high = await count([{ type: 'input_image', detail: 'high', image_url }])
  const pages = await count([{ type: 'input_file', file_id }])

  expect([low - none, high - none, pages - none]).toEqual([85, 85 + 4 * 170, 2 * (85 + 4 * 170)])
  for (const part of [
    { type: 'input_file' as const, file_id: 'file-none' },
    { type: 'input_image' as const, detail: 'auto' as const, image_url: 'data:image/png;base64,aaaa' },
  ])
    await expect(ask([part])).rejects.toMatchObject({ status: 400, param: 'input' })
  await expect(ask([{ type: 'input_text', text: 'word '.repeat(130_000) }])).rejects.toMatchObject({
    code: 'context_length_exceeded',
  })
})
