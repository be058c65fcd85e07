import OpenAI, { AzureOpenAI, toFile } from 'openai'
import { expect, it } from 'vitest'
import { createSimulation, UnscriptedPromptError } from '../../src/index.ts'

type Options = Parameters<typeof createSimulation>[1]

async function open(options: Options = {}) {
  const simulation = await createSimulation('openai', { webhooks: false, ...options })
  const openai = new OpenAI({ apiKey: simulation.key, baseURL: `${simulation.url}/v1` })
  return { simulation, openai }
}

const cosine = (left: readonly number[], right: readonly number[]): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)

it('runs the handlers of a built-in entry, after those of the creation', async () => {
  const { openai } = await open({ handlers: { 'GET /models': () => ({ object: 'list', data: [{ id: 'mine' }] }) } })

  const listed = await openai.models.list()
  const one = await openai.models.retrieve('gpt-5')

  expect(listed.data).toEqual([{ id: 'mine' }])
  expect(one).toMatchObject({ id: 'gpt-5', object: 'model' })
  await expect(openai.models.retrieve('claude')).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
})

it('warns of headers that change nothing, and of tools that are not known', async () => {
  const { simulation, openai } = await open()

  const tools: OpenAI.Responses.Tool[] = [{ type: 'tool_search' }, { type: 'custom', name: 'sql' }]
  await openai.withOptions({ project: 'proj_1' }).models.list()
  await openai.responses.create({ model: 'gpt-5', input: 'News?', tools })
  const [asked, listed] = await simulation.requests()

  expect(asked?.warnings).toEqual([
    `The answer is generated. Script it: await simulation.reply({ when: { text: "News?" }, text: '…' })`,
    'Ignored body.tools.type "tool_search" of POST /responses: the model has no such tool: script what it answers.',
  ])
  expect(listed?.warnings).toEqual([
    'Ignored header.openai-project of GET /models: a simulation is one project of one organization.',
  ])
})

it('embeds similar texts near each other', async () => {
  const { simulation, openai } = await open()
  await simulation.reply({ when: { text: 'scripted' }, embedding: [1, 0] })
  const input = ['How do I return a parcel?', 'Returning parcels is free within 30 days.', 'Our office is in Rome.']

  const { data, usage } = await openai.embeddings.create({ model: 'text-embedding-3-small', input })
  const [question = [], near = [], far = []] = data.map(({ embedding }) => embedding)
  const scripted = await openai.embeddings.create({ model: 'text-embedding-3-small', input: 'scripted' })

  expect(question).toHaveLength(1_536)
  expect(cosine(question, near)).toBeGreaterThan(2 * Math.abs(cosine(question, far)))
  expect(usage.prompt_tokens).toBeGreaterThan(10)
  expect(scripted.data[0]?.embedding).toEqual([1, 0])
})

const MODEL = 'gpt-5'
const ask = (content: string) => ({ model: MODEL, messages: [{ role: 'user' as const, content }] })
const WEATHER = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

it('answers prompts by scripts with conditions, then by the queue, then by functions, then generated', async () => {
  const { simulation, openai } = await open()
  const say = async (text: string) => (await openai.chat.completions.create(ask(text))).choices[0]?.message.content
  await simulation.reply({ when: { text: /^weather in \w+/i }, text: 'Sunny.' })
  await simulation.reply([{ text: 'first' }, { json: { total: 3 } }])
  await simulation.reply((prompt) => (prompt.text.includes('2+2') ? { text: '4' } : undefined))

  const replies = [await say('Weather in Rome'), await say('a'), await say('b'), await say('2+2'), await say('c')]

  expect(replies.slice(0, 4)).toEqual(['Sunny.', 'first', '{"total":3}', '4'])
  expect(replies[4]).toMatch(/^Simulated reply [\da-f]{4}: /)
  expect((await simulation.prompts()).map(({ text }) => text)).toEqual(['c', '2+2', 'b', 'a', 'Weather in Rome'])
  await simulation.expectRequest({ prompt: { text: '2+2', model: MODEL } })
})

it('lists the beginning and the end of a long prompt', async () => {
  const { simulation, openai } = await open({ replies: 'strict' })
  const filler = 'x '.repeat(20_000)
  await simulation.reply({ when: { text: 'middle' }, text: 'Found.' })

  await openai.chat.completions.create(ask(`first ${filler}middle ${filler}last`))

  const [prompt] = await simulation.prompts()
  expect(prompt?.text).toMatch(/^first .{16378}….{16380}last$/)
})

it('runs a loop of tools', async () => {
  const { simulation, openai } = await open({ replies: 'strict' })
  const calls: unknown[] = []
  await simulation.reply({ when: { text: 'Rome' }, toolCalls: [{ name: 'get_weather', arguments: { city: 'Rome' } }] })
  await simulation.reply({ when: { toolResult: /sunny/ }, text: 'Take a hat.' })
  const parameters = WEATHER.function.parameters
  const run = (city: { city: string }) => {
    calls.push(city)
    return 'sunny'
  }

  const runner = openai.chat.completions.runTools({
    ...ask('What is it like in Rome?'),
    tools: [
      {
        type: 'function',
        function: { name: 'get_weather', description: 'Weather', parse: JSON.parse, function: run, parameters },
      },
    ],
  })

  expect(await runner.finalContent()).toBe('Take a hat.')
  expect(calls).toEqual([{ city: 'Rome' }])
  expect((await simulation.prompts())[0]).toMatchObject({ turn: 2, toolResults: ['sunny'], tools: ['get_weather'] })
})

it('streams texts and tool calls, with the usage that the plain answer has', async () => {
  const { simulation, openai } = await open()
  const toolCalls = [{ name: 'get_weather', arguments: { city: 'Rome' } }]
  await simulation.reply({ when: { text: 'call' }, text: 'Let me look.', toolCalls })
  const request = { ...ask('call it'), tools: [WEATHER] }

  const plain = await openai.chat.completions.create(request)
  const stream = openai.chat.completions.stream({ ...request, stream_options: { include_usage: true } })
  const streamed = await stream.finalChatCompletion()

  expect(streamed.choices[0]?.message).toMatchObject({
    content: 'Let me look.',
    tool_calls: [{ type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } }],
  })
  expect(streamed.choices[0]?.finish_reason).toBe('tool_calls')
  expect(streamed.usage).toEqual(plain.usage)
})

it('breaks a stream where a script says so', async () => {
  const { simulation, openai } = await open()
  const text = 'one two three four five'
  await simulation.reply([
    { text, stream: { cutAfter: 2 } },
    { text, stream: { endAfter: 2 } },
    { text, stream: { errorAfter: 2, error: { code: 'overloaded' } } },
  ])
  const read = async () => {
    let read = ''
    for await (const chunk of await openai.chat.completions.create({ ...ask('x'), stream: true }))
      read += chunk.choices[0]?.delta.content ?? ''
    return read
  }

  await expect(read()).rejects.toThrow()
  expect(await read()).toBe('one two')
  await expect(read()).rejects.toMatchObject({ code: 'overloaded' })
})

it('generates what fits the schema of a tool and of an answer', async () => {
  const { openai } = await open()
  const schema = {
    type: 'object',
    properties: {
      total: { type: 'integer' },
      kind: { enum: ['a', 'b'] },
      lines: { type: 'array', items: { $ref: '#/$defs/line' }, minItems: 1 },
    },
    required: ['total', 'kind', 'lines'],
    additionalProperties: false,
    $defs: {
      line: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      },
    },
  }

  const parsed = await openai.chat.completions.parse({
    ...ask('Extract it.'),
    response_format: { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } },
  })
  const called = await openai.chat.completions.create({ ...ask('Rome'), tools: [WEATHER], tool_choice: 'required' })
  const named = (name: string) => ({ type: 'function' as const, function: { name } })
  const allowed = await openai.chat.completions.create({
    ...ask('Rome'),
    tools: [named('other'), WEATHER],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [named(WEATHER.function.name)] },
    },
  })
  const answered = await openai.responses.create({
    model: MODEL,
    input: 'x',
    tools: ['a', 'b'].map((name) => ({ type: 'function', name, parameters: null, strict: false })),
    tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'b' }] },
  })

  expect(parsed.choices[0]?.message.parsed).toEqual({
    total: expect.any(Number),
    kind: expect.stringMatching(/^[ab]$/),
    lines: expect.arrayContaining([{ name: expect.any(String) }]),
  })
  expect(allowed.choices[0]?.message.tool_calls).toMatchObject([named(WEATHER.function.name)])
  expect(answered.output).toMatchObject([{ type: 'function_call', name: 'b' }])
  const [call] = called.choices[0]?.message.tool_calls ?? []
  expect(JSON.parse(call?.type === 'function' ? call.function.arguments : '')).toEqual({ city: expect.any(String) })
})

it('cuts at stop sequences and at the limit of tokens', async () => {
  const { simulation, openai } = await open()
  await simulation.reply([{ text: 'one two three' }, { text: 'one two three' }])

  const stopped = await openai.chat.completions.create({ ...ask('x'), model: 'gpt-4o', stop: ' three' })
  const limited = await openai.chat.completions.create({ ...ask('x'), max_completion_tokens: 2 })

  expect(stopped.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'one two' } })
  expect(limited.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'one two' } })
  expect(limited.usage?.completion_tokens).toBe(2)
})

const strict = (schema: object) => ({ name: 't', strict: true, schema: { type: 'object', ...schema } })
const nested = { properties: { b: { type: 'object', properties: { c: {} } } }, required: ['b'] }

it.each([
  ['top_logprobs', { top_logprobs: 2 }, 'only allowed when'],
  ['max_tokens', { max_tokens: 5 }, "Use 'max_completion_tokens'"],
  ['temperature', { temperature: 0.2 }, "'temperature' does not support 0.2 with this model"],
  ['stream_options', { stream_options: { include_usage: true } }, 'only allowed when'],
  ['presence_penalty', { presence_penalty: 5 }, 'Expected a value <= 2'],
  ['stop', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'maximum length 4'],
  ['tool_choice', { tool_choice: 'required' }, 'only allowed when'],
  ['tool_choice', { tool_choice: 'auto' }, 'only allowed when'],
  ['tools[0].function.name', { tools: [{ type: 'function', function: {} }] }, 'Missing'],
  ['tools[0].function.name', { tools: [{ type: 'function', function: { name: 'a b' } }] }, 'does not match pattern'],
  ['messages.[0].role', { messages: [{ role: 'tool', tool_call_id: 'c', content: 'x' }] }, "'tool_calls'"],
  [
    'tool_choice',
    {
      tools: [{ type: 'function', function: { name: 'a' } }],
      tool_choice: { type: 'function', function: { name: 'b' } },
    },
    "Tool choice 'b' not found",
  ],
  ['messages[0].content', { messages: [{ role: 'user', content: 5 }] }, "Invalid type for 'messages[0].content'"],
  ['messages[0].role', { messages: [{ role: 'bogus', content: 'x' }] }, "Invalid value: 'bogus'"],
  ['messages.[0].content', { messages: [{ role: 'user', content: null }] }, 'expected a string, got null'],
  ['messages[0].content[0].type', { messages: [{ role: 'user', content: [{ type: 'input_text' }] }] }, "and 'file'."],
  ['messages[0].content[0].text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }, 'Missing required'],
  [
    'messages[0].content[0].image_url',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'https://a.test/b.png' }] }] },
    'expected an object, but got a string instead',
  ],
  ['messages[0].name', { messages: [{ role: 'user', name: 'a b', content: 'x' }] }, 'does not match pattern'],
  ['seed', { seed: 1.5 }, 'expected an integer, but got a number instead'],
  ['metadata', { metadata: { a: 'b' } }, "only allowed when 'store' is enabled"],
  ['metadata.a', { store: true, metadata: { a: 1 } }, 'expected a string, but got an integer instead'],
  ['service_tier', { service_tier: 'x' }, "Invalid value: 'x'. Supported values are: 'auto', 'default'"],
  ['reasoning_effort', { reasoning_effort: 'none' }, "'minimal', 'low', 'medium', and 'high'"],
  ['stop', { stop: 'x' }, "'stop' is not supported with this model"],
  ['max_tokens', { model: 'gpt-4o', max_tokens: 99_999 }, 'supports at most 16384 completion tokens'],
  ['parallel_tool_calls', { parallel_tool_calls: false }, "only allowed when 'tools' are specified"],
  ['tool_choice', { tool_choice: 'x' }, "Supported values are: 'none', 'auto', and 'required'."],
  ['tools', { tools: [] }, 'Expected an array with minimum length 1'],
  [
    'tools[0].function.parameters',
    {
      tools: [
        {
          type: 'function',
          function: { name: 'a', parameters: { type: 'object', properties: { b: { type: 'array' } } } },
        },
      ],
    },
    "In context=('properties', 'b'), array schema missing items.",
  ],
  ['response_format.type', { response_format: { type: 'x' } }, "'json_object', 'json_schema', and 'text'"],
  ['messages', { response_format: { type: 'json_object' } }, "the word 'json'"],
  ['response_format.json_schema', { response_format: { type: 'json_schema' } }, 'Missing'],
  [
    'response_format',
    { response_format: { type: 'json_schema', json_schema: strict({}) } },
    "In context=(), 'additionalProperties'",
  ],
  [
    'response_format',
    { response_format: { type: 'json_schema', json_schema: strict({ ...nested, additionalProperties: false }) } },
    "In context=('properties', 'b'), 'additionalProperties'",
  ],
])('refuses a chat with a wrong `%s`: %j', async (param, options, message) => {
  const { openai } = await open()

  const asked = openai.chat.completions.create({ ...ask('x'), ...options } as Parameters<
    typeof openai.chat.completions.create
  >[0])

  await expect(asked).rejects.toMatchObject({ status: 400, param, message: expect.stringContaining(message) })
})

it.each([
  ['input', { input: undefined }, "Missing required parameter: 'input'."],
  [null, { input: [] }, 'must be provided'],
  ['metadata', { metadata: Object.fromEntries([...Array(17).keys()].map((key) => [key, ''])) }, 'maximum 16'],
  ['store', { background: true, store: false }, 'must not be false'],
  ['top_p', { top_p: 0.5 }, "'top_p' is not supported with this model"],
  ['tool_choice', { tool_choice: 'required' }, 'only allowed when'],
  [
    'tools[0].parameters',
    { tools: [{ type: 'function', ...strict({}), parameters: { type: 'object' } }] },
    "function 't'",
  ],
  ['input[0]', { input: [{ role: 'x', content: 'x' }] }, "'assistant', 'system', 'developer', and 'user'"],
  [
    'input[0].content[0]',
    { input: [{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }] },
    "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
  ],
  ['input[0].call_id', { input: [{ type: 'function_call_output', output: 'x' }] }, 'Missing required parameter'],
  ['text.format.type', { text: { format: { type: 'x' } } }, "Invalid value: 'x'"],
  ['max_output_tokens', { max_output_tokens: 5 }, 'Expected a value >= 16, but got 5 instead.'],
  ['tools[0].type', { tools: [{ type: 'web_serch' }] }, "Invalid value: 'web_serch'. Supported values are:"],
  ['tools[0].vector_store_ids', { tools: [{ type: 'file_search' }] }, 'Missing required parameter'],
  ['include[0]', { include: ['thoughts'] }, "Invalid value: 'thoughts'"],
  ['reasoning.effort', { model: 'gpt-4.1', reasoning: { effort: 'low' } }, 'not supported with this model'],
  ['model', { model: undefined }, 'Missing required parameter'],
  ['text.format', { text: { format: { type: 'json_object' } } }, "the word 'json' in some form to use"],
  ['text.format.schema', { text: { format: { type: 'json_schema', ...strict({}) } } }, "response_format 't'"],
])('refuses a response with a wrong `%s`: %j', async (param, options, message) => {
  const { openai } = await open()

  const asked = openai.responses.create({ model: MODEL, input: 'x', ...options } as Parameters<
    typeof openai.responses.create
  >[0])

  await expect(asked).rejects.toMatchObject({ status: 400, param, message: expect.stringContaining(message) })
})

it('takes longer answers of older models, efforts of models by any name, and answers without a text', async () => {
  const { simulation, openai } = await open()
  const options = { apiKey: simulation.key, endpoint: simulation.url, apiVersion: '2025-04-01-preview' }
  const deployed = new AzureOpenAI(options).responses
  const [question] = ask('x').messages
  const after = (answer: object) => ({ messages: [question, { role: 'assistant', ...answer }, question] })
  const audio = {
    model: 'gpt-4o-audio-preview',
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'wav' },
  }
  const chats = [
    { model: 'gpt-4', max_tokens: 6_000 },
    after({ content: null, refusal: 'No.' }),
    { ...audio, ...after({ audio: { id: 'audio_1' } }) },
  ]

  const answers = [
    ...chats.map((one) => openai.chat.completions.create({ ...ask('x'), ...one } as never)),
    openai.responses.create({ model: 'gpt-5.1-codex-max', input: 'x', reasoning: { effort: 'xhigh' } }),
    openai.responses.create({ model: 'codex-mini-latest', input: 'x', reasoning: { effort: 'low' } }),
    deployed.create({ model: 'my-deployment', input: 'x', reasoning: { effort: 'low' } }),
  ]

  await expect(Promise.all(answers)).resolves.toHaveLength(6)
})

it('refuses a body that is no JSON', async () => {
  const { simulation } = await open()

  const answer = await simulation.fetch('/v1/chat/completions', { method: 'POST', body: '{' })

  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('We could not parse the JSON body of your request. (HINT:')
})

it('refuses models of another kind', async () => {
  const { openai } = await open()

  const [chat, embedded] = await Promise.allSettled([
    openai.chat.completions.create({ ...ask('x'), model: 'text-embedding-3-small' }),
    openai.embeddings.create({ model: MODEL, input: 'x' }),
  ])

  expect(chat).toMatchObject({ reason: { status: 403, message: expect.stringContaining('sample from') } })
  expect(embedded).toMatchObject({ reason: { status: 403, message: expect.stringContaining('embeddings from') } })
})

it('fails the test for a prompt without a script, with the nearest', async () => {
  const { simulation, openai } = await open({ replies: 'strict' })
  await simulation.beginTest()
  await simulation.reply({ when: { text: /weather in Rome/ }, text: 'Sunny.', mustFire: false })

  const refused = openai.chat.completions.create({ ...ask('weather in Oslo'), tools: [WEATHER] })

  await expect(refused).rejects.toMatchObject({ status: 400, code: 'unscripted_prompt' })
  const error = await simulation.endTest().catch((caught: Error) => caught)
  expect(error).toBeInstanceOf(UnscriptedPromptError)
  expect(error?.message.replace(/test\.ts:\d+/, 'test.ts:1')).toBe(
    [
      'No reply is scripted for a prompt of POST /chat/completions.',
      'Prompt:   "weather in Oslo"  gpt-5, turn 1, tools get_weather',
      'Nearest:  { when: { text: /weather in Rome/ } } differs in text   (openai.test.ts:1)',
      'Queue:    empty, 0 replies were taken',
      `Script:   await simulation.reply({ when: { text: "weather in Oslo" }, text: '…' })`,
    ].join('\n'),
  )
})

it('answers scripted errors, and stores completions', async () => {
  const { simulation, openai } = await open()
  await simulation.reply({ error: { status: 429, code: 'insufficient_quota' }, mustFire: false, times: 3 })

  const failed = openai.chat.completions.create(ask('x'))
  await expect(failed).rejects.toMatchObject({ status: 429, code: 'insufficient_quota' })
  const { id } = await openai.chat.completions.create({ ...ask('keep'), store: true, metadata: { run: '1' } })
  const listed = await openai.chat.completions.list()
  const messages = await openai.chat.completions.messages.list(id)
  await openai.chat.completions.update(id, { metadata: { run: '2' } })

  expect(listed.data.map((one) => one.id)).toEqual([id])
  expect(messages.data).toMatchObject([{ role: 'user', content: 'keep' }])
  expect(await openai.chat.completions.retrieve(id)).toMatchObject({ metadata: { run: '2' } })
  expect(await openai.chat.completions.delete(id)).toEqual({ object: 'chat.completion.deleted', id, deleted: true })
  await expect(openai.chat.completions.retrieve(id)).rejects.toMatchObject({ status: 404 })
})

it('refuses and changes by scripts what has no text, and leaves texts to prompts', async () => {
  const { simulation, openai } = await open()
  const type = 'image_generation_user_error'
  await simulation.reply([{ text: 'A tagline' }, { error: { status: 400, code: 'moderation_blocked', type } }])
  await simulation.reply({ when: { text: 'insult' }, set: { results: [{ flagged: true }] } })
  await simulation.reply({ when: { operation: 'POST /embeddings' }, error: { status: 400, code: 'broken' } })

  const picture = openai.images.generate({ model: 'gpt-image-1', prompt: 'A logo' })
  await expect(picture).rejects.toMatchObject({ status: 400, code: 'moderation_blocked', type })
  const vector = openai.embeddings.create({ model: 'text-embedding-3-small', input: 'x' })
  await expect(vector).rejects.toMatchObject({ code: 'broken' })
  const insult = await openai.moderations.create({ input: ['An insult'] })
  const later = await openai.images.generate({ model: 'gpt-image-1', prompt: 'A logo' })
  const answer = await openai.chat.completions.create(ask('Tagline?'))

  expect(insult.results).toEqual([{ flagged: true }])
  expect(later.data).toHaveLength(1)
  expect(answer.choices[0]?.message.content).toBe('A tagline')
})

it('counts the tokens at the beginning of a long prompt as cached, for ten minutes', async () => {
  const { simulation, openai } = await open()
  const system = 'A roof is tight. '.repeat(400)
  const chat = async (content: string) => {
    const messages = [{ role: 'system' as const, content: system }, ...ask(content).messages]
    const { usage } = await openai.chat.completions.create({ ...ask(content), messages })
    return usage?.prompt_tokens_details?.cached_tokens
  }
  const respond = async (input: string) => {
    const { usage } = await openai.responses.create({ model: 'gpt-5', instructions: system, input })
    return usage?.input_tokens_details.cached_tokens
  }

  const cached = [await chat('a'), await chat('b'), await respond('a'), await respond('b')]
  await simulation.fastForward({ minutes: 11 })

  expect(cached).toEqual([0, 1_920, 0, 1_920])
  expect(await chat('c')).toBe(0)
})

it('answers Azure by deployments, and OpenRouter by vendor and name', async () => {
  const { simulation } = await open()
  const { url, key } = simulation
  await simulation.reply({ when: { text: 'Hi' }, text: 'Hello.' })
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const azure = new AzureOpenAI({ apiKey: key, endpoint: url, apiVersion: '2026-05-01', deployment: 'mine' })
  const current = new OpenAI({ apiKey: key, baseURL: `${url}/openai/v1/` })
  const router = new OpenAI({ apiKey: key, baseURL: `${url}/api/v1` })
  const routed = { model: 'anthropic/claude-sonnet-5', messages, provider: { order: ['bedrock'] } }

  const deployed = await azure.chat.completions.create({ model: 'gpt-4o', messages })
  const embedded = await azure.embeddings.create({ model: 'mine', input: 'x' })
  const large = await router.embeddings.create({ model: 'qwen/qwen3-embedding-8b', input: 'x', dimensions: 4_096 })
  const file = await azure.files.create({ file: await toFile(Buffer.from('x'), 'a.txt'), purpose: 'assistants' })
  await simulation.reply({
    when: { text: 'Bad' },
    error: { status: 400, code: 'content_filter', message: 'Filtered.' },
  })
  const chunks: unknown[] = []
  for await (const chunk of await azure.chat.completions.create({ model: 'mine', messages, stream: true }))
    chunks.push(chunk)
  const bad = { model: 'mine', messages: [{ role: 'user' as const, content: 'Bad' }] }
  const bare = await fetch(`${url}/openai/deployments/mine/chat/completions?api-version=2026-05-01`, {
    method: 'POST',
    headers: { 'api-key': key },
    body: JSON.stringify({ messages }),
  })
  const newer = await current.responses.create({ model: 'mine', input: 'Hi' })
  const older = await azure.responses.create({ model: 'mine', input: 'Hi' })
  const answered = await router.chat.completions.create(routed)
  const seen = await fetch(`${url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: routed.model,
      messages: [
        ...messages,
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'image_url', image_url: { url: 'https://a.test' } }] },
      ],
    }),
  })
  let usage: unknown
  for await (const chunk of await router.chat.completions.create({ ...routed, stream: true })) usage = chunk.usage
  const models = await router.models.list()

  expect(deployed).toMatchObject({
    choices: [{ message: { content: 'Hello.' }, content_filter_results: { hate: { severity: 'safe' } } }],
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: { jailbreak: { detected: false } } }],
  })
  expect(chunks[0]).toMatchObject({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] })
  await expect(azure.chat.completions.create(bad)).rejects.toMatchObject({
    ...{ status: 400, code: 'content_filter', param: 'prompt' },
    error: { innererror: { code: 'ResponsibleAIPolicyViolation' } },
  })
  expect(embedded.data[0]?.embedding).toHaveLength(1_536)
  expect(large.data[0]?.embedding).toHaveLength(4_096)
  expect(seen.status).toBe(200)
  expect(file.filename).toBe('a.txt')
  expect(await bare.json()).toMatchObject({ model: 'mine', choices: [{ message: { content: 'Hello.' } }] })
  expect([newer.output_text, older.output_text]).toEqual(['Hello.', 'Hello.'])
  expect(answered).toMatchObject({
    id: expect.stringMatching(/^gen-/),
    provider: 'bedrock',
    usage: { cost: 0.000_011 },
  })
  expect(usage).toMatchObject({ cost: 0.000_011 })
  expect(models.data.map(({ id }) => id)).toContain('openai/gpt-5')
  await expect(router.chat.completions.create({ ...routed, model: 'nothing' })).rejects.toMatchObject({ status: 400 })
  await simulation.expectRequest({ path: '/chat/completions', prompt: { model: 'mine' } })
})

it('continues texts by the older completions, whole and streamed', async () => {
  const { simulation, openai } = await open()
  await simulation.reply({ when: { text: 'Once' }, text: ' upon a time' })
  const request = { model: 'gpt-3.5-turbo-instruct', prompt: ['Once', 'Once more'] }

  const whole = await openai.completions.create({ ...request, logprobs: 1 })
  let streamed = ''
  for await (const { choices } of await openai.completions.create({ ...request, prompt: 'Once', stream: true }))
    streamed += choices[0]?.text ?? ''

  expect(whole.choices.map(({ text, index }) => [text, index])).toEqual([
    [' upon a time', 0],
    [' upon a time', 1],
  ])
  expect(whole.choices[0]?.logprobs).toMatchObject({ tokens: [' upon', ' a', ' time'], text_offset: [0, 5, 7] })
  expect(streamed).toBe(' upon a time')
  await expect(openai.completions.create({ ...request, model: 'gpt-5' })).rejects.toMatchObject({ status: 404 })
})
