import Anthropic, { toFile } from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'

const model = 'claude-sonnet-5'
const max_tokens = 1_000
const ask = (content: string) => ({ model, max_tokens, messages: [{ role: 'user' as const, content }] })
const WEATHER = {
  name: 'get_weather',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
}

async function open(options: Parameters<typeof createSimulation>[1] = {}) {
  const simulation = await createSimulation('anthropic', { webhooks: false, ...options })
  const anthropic = new Anthropic({ apiKey: simulation.key, baseURL: simulation.url })
  return { simulation, anthropic }
}

it('runs a loop of tools by the scripts of any provider', async () => {
  const { simulation, anthropic } = await open({ replies: 'strict' })
  await simulation.reply({ when: { text: 'Rome' }, toolCalls: [{ name: 'get_weather', arguments: { city: 'Rome' } }] })
  await simulation.reply({ when: { toolResult: 'sunny' }, text: 'Take a hat.' })
  const question = { role: 'user' as const, content: 'Weather in Rome?' }

  const first = await anthropic.messages.create({ model, max_tokens, messages: [question], tools: [WEATHER] })
  const [call] = first.content
  const second = await anthropic.messages.create({
    model,
    max_tokens,
    system: 'Be brief.',
    tools: [WEATHER],
    messages: [
      question,
      { role: 'assistant', content: first.content },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call?.type === 'tool_use' ? call.id : '', content: 'sunny' }],
      },
    ],
  })

  expect(first).toMatchObject({ stop_reason: 'tool_use', content: [{ type: 'tool_use', input: { city: 'Rome' } }] })
  expect(second).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text', text: 'Take a hat.' }] })
  expect((await simulation.prompts())[0]).toMatchObject({ turn: 2, system: 'Be brief.', toolResults: ['sunny'] })
})

it('streams thinking, texts and tool uses, with the usage that the plain answer has', async () => {
  const { simulation, anthropic } = await open()
  const toolCalls = [{ name: 'get_weather', arguments: { city: 'Rome' } }]
  await simulation.reply({ when: { text: 'x' }, reasoning: 'Hm.', text: 'Let me look.', toolCalls })

  const plain = await anthropic.messages.create({ ...ask('x'), tools: [WEATHER] })
  const streamed = await anthropic.messages.stream({ ...ask('x'), tools: [WEATHER] }).finalMessage()

  expect(streamed.content).toMatchObject([
    { type: 'thinking', thinking: 'Hm.', signature: expect.any(String) },
    { type: 'text', text: 'Let me look.' },
    { type: 'tool_use', name: 'get_weather', input: { city: 'Rome' } },
  ])
  expect(streamed.stop_reason).toBe('tool_use')
  expect(streamed.usage.output_tokens).toBe(plain.usage.output_tokens)
  expect(streamed.usage.input_tokens).toBe(plain.usage.input_tokens)
})

it('breaks a stream by an error event, and by a clean early end', async () => {
  const { simulation, anthropic } = await open()
  await simulation.reply([
    { text: 'one two three', stream: { errorAfter: 2 } },
    { text: 'one two three', stream: { endAfter: 2 } },
  ])

  await expect(anthropic.messages.stream(ask('x')).finalMessage()).rejects.toMatchObject({ type: 'overloaded_error' })
  await expect(anthropic.messages.stream(ask('x')).finalMessage()).rejects.toThrow('stream ended')
})

it('cites the documents whose sentences an answer has', async () => {
  const { simulation, anthropic } = await open()
  await simulation.reply({ when: { text: 'colour' }, text: 'Well. The grass is green. It is summer.' })
  const document = { type: 'document' as const, title: 'T', citations: { enabled: true } }
  const data = 'The sky is blue. The grass is green.'
  const blocks: Anthropic.TextBlockParam[] = [
    { type: 'text', text: 'Here:' },
    { type: 'text', text: data },
  ]
  const content: Anthropic.ContentBlockParam[] = [
    { ...document, source: { type: 'text', media_type: 'text/plain', data } },
    { ...document, source: { type: 'content', content: blocks } },
    { type: 'text', text: 'Which colour?' },
  ]
  const request = { ...ask(''), messages: [{ role: 'user' as const, content }] }

  const plain = await anthropic.messages.create(request)
  const streamed = await anthropic.messages.stream(request).finalMessage()

  expect(plain.content).toMatchObject([
    { text: 'Well. ', citations: null },
    {
      text: 'The grass is green. ',
      citations: [
        { cited_text: 'The grass is green.', document_index: 0, start_char_index: 17, end_char_index: 36 },
        { cited_text: data, document_index: 1, start_block_index: 1, end_block_index: 2 },
      ],
    },
    { text: 'It is summer.', citations: null },
  ])
  expect(streamed.content).toEqual(plain.content)
})

it('counts a limit of a rule down in the headers of the API', async () => {
  const { simulation, anthropic } = await open()
  await simulation.rateLimit(2, 60)

  const { response } = await anthropic.messages.create(ask('x')).withResponse()
  const reset = response.headers.get('anthropic-ratelimit-requests-reset')

  expect(response.headers.get('anthropic-ratelimit-requests-limit')).toBe('2')
  expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('1')
  expect(Date.parse(reset ?? '') - Date.parse((await simulation.requests())[0]?.at ?? '')).toBe(60_000)
})

it('retries what is overloaded, and names errors by their status', async () => {
  const { simulation, anthropic } = await open()
  await simulation.failNext(1, { status: 529 })
  const answered = await anthropic.messages.create(ask('x'))
  await simulation.reply({ error: { status: 400, message: 'Too long.' } })

  expect(answered.content).toMatchObject([{ text: expect.stringMatching(/^Simulated reply/) }])
  await expect(anthropic.messages.create(ask('x'))).rejects.toMatchObject({
    status: 400,
    error: { error: { type: 'invalid_request_error', message: 'Too long.' } },
  })
  await expect(anthropic.messages.create({ ...ask('x'), model: 'gpt-5' })).rejects.toMatchObject({ status: 404 })
  const stranger = new Anthropic({ apiKey: 'wrong', baseURL: simulation.url })
  await expect(stranger.messages.create(ask('x'))).rejects.toMatchObject({ status: 401 })
})

it('stops at sequences and at the limit, and counts tokens as its answers do', async () => {
  const { simulation, anthropic } = await open()
  await simulation.reply([{ text: 'one two three' }, { text: 'one two three' }, { refusal: 'No.' }])

  const stopped = await anthropic.messages.create({ ...ask('x'), stop_sequences: [' three'] })
  const limited = await anthropic.messages.create({ ...ask('x'), max_tokens: 2 })
  const refused = await anthropic.messages.create(ask('x'))
  const counted = await anthropic.messages.countTokens({ model, messages: ask('x').messages })

  expect(stopped).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: ' three' })
  expect(limited).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 2 } })
  expect(refused.stop_reason).toBe('refusal')
  expect(counted.input_tokens).toBe(limited.usage.input_tokens)
})

it('generates what fits the schema of a tool, or a call of one that Anthropic defines', async () => {
  const { simulation, anthropic } = await open()
  await simulation.reply({ when: { toolResult: 'It snows' }, text: 'Snow.' })

  const message = await anthropic.messages.create({
    ...ask('x'),
    tools: [WEATHER],
    tool_choice: { type: 'tool', name: 'get_weather' },
  })

  const forced = await anthropic.messages.create({
    ...ask('x'),
    tools: [{ type: 'bash_20250124', name: 'bash' }],
    tool_choice: { type: 'any' },
  })
  const found = {
    type: 'search_result' as const,
    source: 'a',
    title: 'A',
    content: [{ type: 'text' as const, text: 'It snows' }],
  }
  const result = {
    type: 'tool_result' as const,
    tool_use_id: (message.content[0] as Anthropic.ToolUseBlock).id,
    content: [found],
  }
  const answer = await anthropic.messages.create({
    ...ask('x'),
    messages: [
      ...ask('x').messages,
      { role: 'assistant', content: message.content },
      { role: 'user', content: [result] },
    ],
  })

  expect(message.content).toMatchObject([{ type: 'tool_use', input: { city: expect.any(String) } }])
  expect(forced.content).toMatchObject([{ type: 'tool_use', name: 'bash' }])
  expect(answer.content).toMatchObject([{ text: 'Snow.' }])
})

it('ends a batch as time passes, with results of each kind', async () => {
  const { simulation, anthropic } = await open()
  await simulation.reply({ when: { text: 'first' }, text: 'One.' })
  await simulation.reply({ when: { text: 'second' }, error: { status: 529 } })
  await simulation.reply({ when: { text: 'late' }, error: { status: 408, code: 'batch_expired' } })
  const requests = ['first', 'second'].map((text) => ({ custom_id: text, params: ask(text) }))
  const late = await anthropic.messages.batches.create({ requests: [{ custom_id: 'late', params: ask('late') }] })

  const made = await anthropic.messages.batches.create({ requests })
  const cancelled = await anthropic.messages.batches.create({ requests })
  await anthropic.messages.batches.cancel(cancelled.id)
  await simulation.fastForward({ hours: 1 })
  const ended = await anthropic.messages.batches.retrieve(made.id)
  const results = []
  for await (const line of await anthropic.messages.batches.results(made.id)) results.push(line)

  expect(made.processing_status).toBe('in_progress')
  expect(ended).toMatchObject({ processing_status: 'ended', request_counts: { succeeded: 1, errored: 1 } })
  expect(results).toMatchObject([
    { custom_id: 'first', result: { type: 'succeeded', message: { content: [{ text: 'One.' }] } } },
    { custom_id: 'second', result: { type: 'errored', error: { error: { type: 'overloaded_error' } } } },
  ])
  expect(await anthropic.messages.batches.retrieve(cancelled.id)).toMatchObject({ request_counts: { canceled: 2 } })
  expect((await anthropic.messages.batches.list()).data).toHaveLength(3)
  expect((await anthropic.messages.batches.retrieve(late.id)).processing_status).toBe('in_progress')
  await simulation.fastForward({ hours: 24 })
  expect(await anthropic.messages.batches.retrieve(late.id)).toMatchObject({
    processing_status: 'ended',
    request_counts: { expired: 1 },
  })
  await anthropic.messages.batches.delete(made.id)
  await expect(anthropic.messages.batches.retrieve(made.id)).rejects.toMatchObject({ status: 404 })
})

it('keeps files, and lists models', async () => {
  const { anthropic } = await open()
  const names = ['a.txt', 'b.txt']
  for (const name of names) await anthropic.beta.files.upload({ file: await toFile(Buffer.from('Hi'), name) })

  const listed = []
  for await (const file of anthropic.beta.files.list({ limit: 1 })) listed.push(file)
  const [file] = listed
  const models = await anthropic.models.list({ limit: 2 })

  expect(listed.map(({ filename }) => filename)).toEqual(['b.txt', 'a.txt'])
  expect(await anthropic.beta.files.retrieveMetadata(String(file?.id))).toMatchObject({ size_bytes: 2 })
  expect(await anthropic.beta.files.delete(String(file?.id))).toMatchObject({ type: 'file_deleted' })
  expect(models.has_more).toBe(true)
  expect(await anthropic.models.retrieve(model)).toMatchObject({ type: 'model', id: model })
})

it('gives equal requests of one moment different ids', async () => {
  const { simulation, anthropic } = await open()
  const request = { model: 'claude-sonnet-5', max_tokens: 9, messages: [{ role: 'user' as const, content: 'Hi' }] }

  const answers = await Promise.all(Array.from({ length: 100 }, () => anthropic.messages.create(request)))

  expect(new Set(answers.map(({ id }) => id)).size).toBe(100)
  const listed = await Promise.all(Array.from({ length: 100 }, () => simulation.fetch('/v1/models')))
  expect(new Set(listed.map(({ headers }) => headers.get('request-id'))).size).toBe(100)
})

it('refuses budgets of thought that leave no answer, and tools, files and models that are not there or cannot', async () => {
  const { simulation, anthropic } = await open()
  const file = await anthropic.beta.files.upload({ file: await toFile(Buffer.from('Hi'), 'a.txt') })
  const think = (budget_tokens: number, name = 'claude-haiku-4-5') =>
    anthropic.messages.create({
      ...ask('x'),
      model: name,
      max_tokens: 2_000,
      thinking: { type: 'enabled', budget_tokens },
    })
  const read = (file_id: string) =>
    anthropic.beta.messages.create({
      model,
      max_tokens,
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id } }] }],
    })

  const ended = (model: string) =>
    anthropic.messages.create({
      ...ask('x'),
      model,
      messages: [...ask('x').messages, { role: 'assistant', content: 'Well' }],
    })
  const choose = (name: string) =>
    anthropic.messages.create({
      ...ask('x'),
      tools: [{ name: 'a', input_schema: { type: 'object' } }],
      tool_choice: { type: 'tool', name },
    })

  await think(1_024)
  await ended('claude-haiku-4-5')
  await choose('a')
  await read(file.id)

  await expect(think(2_000)).rejects.toThrow('`max_tokens` must be greater than `thinking.budget_tokens`')
  await expect(think(10)).rejects.toMatchObject({ status: 400, error: { request_id: expect.stringMatching(/^req_/) } })
  await expect(think(1_024, 'claude-opus-4-7')).rejects.toThrow('is not supported for this model')
  await expect(ended('claude-opus-5')).rejects.toThrow('does not support assistant message prefill')
  await expect(choose('b')).rejects.toThrow("Tool 'b' not found in provided tools")
  const sample = (model: string, options: object) => anthropic.messages.create({ ...ask('x'), model, ...options })
  await sample('claude-haiku-4-5', { temperature: 0.2 })
  await expect(sample('claude-opus-5', { temperature: 0.2 })).rejects.toThrow('`temperature` is deprecated')
  await expect(sample('claude-haiku-4-5', { temperature: 0.2, top_p: 0.5 })).rejects.toThrow('cannot both be specified')
  await expect(sample('claude-opus-5', { plums: 1 })).rejects.toThrow('plums: Extra inputs are not permitted')
  const object = { type: 'object', properties: {} }
  const cited = {
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: 'Hi' },
    citations: { enabled: true },
  }
  const refused: [object, string][] = [
    [{ tools: [1, 2].map(() => ({ name: 'a', input_schema: object })) }, 'Tool names must be unique'],
    [{ tools: [{ name: 'a b', input_schema: object }] }, 'tools.0.custom.name: String should match pattern'],
    [{ tools: [{ name: 'a', strict: true, input_schema: object }] }, "'additionalProperties' must be explicitly set"],
    [{ tools: [{ name: 'a', defer_loading: true, input_schema: object }] }, 'At least one tool must have'],
    [{ tools: [{ type: 'bash_20250124', name: 'shell' }] }, "tools.0.bash_20250124.name: Input should be 'bash'"],
    [{ tools: [{ type: 'computer_20251124', name: 'computer' }] }, "Input tag 'computer_20251124'"],
    [{ mcp_servers: [{ type: 'url', name: 'm', url: 'https://m.test' }] }, 'mcp_servers: Extra inputs'],
    [{ messages: [{ role: 'user', content: [{ type: 'video' }] }] }, "messages.0.content.0: Input tag 'video'"],
    [{ messages: [{ role: 'user', content: ' ' }] }, 'must contain non-whitespace text'],
    [{ messages: [{ role: 'user', content: [cited, { ...cited, citations: null }] }] }, 'on all or none'],
    [{ stop_sequences: [' '] }, 'each stop sequence must contain non-whitespace'],
  ]
  for (const [options, message] of refused) await expect(sample('claude-opus-5', options)).rejects.toThrow(message)
  const counted = anthropic.messages.countTokens({ ...ask('x'), ...{ max_tokens: 5 } })
  await expect(counted).rejects.toThrow('max_tokens: Extra inputs are not permitted')
  const long = anthropic.messages.create(
    { ...ask('x'), model: 'claude-haiku-4-5', max_tokens: 64_001 },
    { timeout: 10_000 },
  )
  await expect(long).rejects.toThrow(
    'which is the maximum allowed number of output tokens for claude-haiku-4-5-20251001',
  )
  await expect(read('file_none')).rejects.toMatchObject({ status: 404 })
  expect((await simulation.requests())[0]?.status).toBe(404)
})

it('caches long prompts for five minutes since their last use, or for an hour', async () => {
  const { simulation, anthropic } = await open()
  const text = 'A long book about plums. '.repeat(400)
  const read = async (ttl: '5m' | '1h', question: string) => {
    const system = [{ type: 'text' as const, text, cache_control: { type: 'ephemeral' as const, ttl } }]
    return (await anthropic.messages.create({ ...ask(question), system })).usage
  }

  const first = await read('1h', 'one')
  const second = await read('1h', 'two')
  await simulation.fastForward({ minutes: 50 })
  const third = await read('1h', 'three')
  await simulation.fastForward({ minutes: 50 })
  const fourth = await read('5m', 'four')
  await simulation.fastForward({ minutes: 60 })
  const late = await read('5m', 'five')
  const short = await anthropic.messages.create({ ...ask('x'), cache_control: { type: 'ephemeral' } })
  const talk = async (...texts: string[]) => {
    const messages = texts.map((content, at) => ({
      role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content,
    }))
    return (await anthropic.messages.create({ ...ask('x'), cache_control: { type: 'ephemeral' }, messages })).usage
  }
  const begun = await talk(text)
  const continued = await talk(text, 'Indeed.', 'Go on.')

  const cached = Number(first.cache_creation_input_tokens)
  expect(cached).toBeGreaterThan(1_024)
  expect(first).toMatchObject({ cache_read_input_tokens: 0, cache_creation: { ephemeral_1h_input_tokens: cached } })
  expect(second).toMatchObject({ cache_read_input_tokens: cached, cache_creation_input_tokens: 0 })
  expect(second.input_tokens).toBe(first.input_tokens)
  expect([third, fourth].map((usage) => usage.cache_read_input_tokens)).toEqual([cached, cached])
  expect(late).toMatchObject({ cache_read_input_tokens: 0, cache_creation: { ephemeral_5m_input_tokens: cached } })
  expect(short.usage.cache_creation_input_tokens).toBe(0)
  expect(continued.cache_read_input_tokens).toBe(begun.cache_creation_input_tokens)
})

it('keeps skills with their versions, and user profiles', async () => {
  const { skills, userProfiles } = (await open()).anthropic.beta
  const file = (name: string) =>
    toFile(Buffer.from(`---\nname: ${name}\ndescription: Makes jam.\n---\nBoil.`), 'jam/SKILL.md')

  const skill = await skills.create({ files: [await file('jam')], display_name: 'Jam' })
  const version = await skills.versions.create(skill.id, { files: [await file('jam')] })
  const renewed = await skills.retrieve(skill.id)
  const versions = await skills.versions.list(skill.id)
  const profile = await userProfiles.create({ name: 'Ada', metadata: { team: 'a' } })
  const changed = await userProfiles.update(profile.id, { name: 'Ada B.' })
  const enrollment = await userProfiles.createEnrollmentURL(profile.id)

  expect(skill).toMatchObject({ type: 'skill', display_name: 'Jam', source: { type: 'custom' } })
  expect(version).toMatchObject({ name: 'jam', description: 'Makes jam.', skill_id: skill.id })
  expect(renewed.latest_version_id).toBe(version.id)
  expect(versions.data.map(({ id }) => id)).toEqual([version.id, skill.latest_version_id])
  expect(changed).toMatchObject({ id: profile.id, name: 'Ada B.', metadata: { team: 'a' } })
  expect(enrollment.url).toContain(profile.id)
  await expect(skills.create({ files: [await toFile(Buffer.from('x'), 'a.txt')] })).rejects.toMatchObject({
    status: 400,
  })
  const renaming = skills.versions.create(skill.id, { files: [await file('jelly')] })
  await expect(renaming).rejects.toMatchObject({ status: 400 })
  expect(await userProfiles.delete(profile.id)).toMatchObject({ type: 'user_profile_deleted' })
  await skills.versions.delete(version.id, { skill_id: skill.id })
  expect(await skills.retrieve(skill.id)).toEqual({ ...skill, updated_at: expect.any(String) })
  expect(await skills.delete(skill.id)).toMatchObject({ type: 'skill_deleted' })
  expect((await skills.list({ source: 'custom' })).data).toEqual([])
  expect((await skills.list()).data).toContainEqual(await skills.retrieve('pptx'))
})

it('runs the tools of Anthropic by what scripts give back', async () => {
  const { simulation, anthropic } = await open()
  const result = [{ url: 'https://a.test/', title: 'A' }]
  await simulation.reply({
    when: { text: 'News' },
    toolCalls: [{ name: 'web_search', arguments: { query: 'n' }, result }],
    text: 'Good.',
  })
  await simulation.reply({
    when: { text: 'Roll' },
    toolCalls: [{ name: 'roll', arguments: { sides: 6 }, result: '4' }],
    text: 'Four.',
  })
  await simulation.reply([
    {
      when: { text: 'Rain' },
      toolCalls: [{ name: 'tool_search_tool_regex', arguments: { pattern: 'rain' } }, { name: 'weather' }],
    },
    { when: { text: 'Risky', model: 'claude-opus-4-8' }, text: 'Served.' },
    { when: { text: 'Risky' }, refusal: 'No.' },
  ])
  const search = { type: 'web_search_20250305' as const, name: 'web_search' as const }
  const code = { type: 'code_execution_20250825' as const, name: 'code_execution' as const }
  const server = { type: 'url' as const, url: 'https://dice.test', name: 'dice' }

  const searched = await anthropic.messages.stream({ ...ask('News?'), tools: [search] }).finalMessage()
  const computed = await anthropic.messages.create({ ...ask('Sum'), tools: [code] })
  const deferred = { name: 'weather', defer_loading: true, input_schema: { type: 'object' as const } }
  const found = await anthropic.beta.messages.create({
    ...ask('Rain'),
    tools: [{ type: 'tool_search_tool_regex', name: 'tool_search_tool_regex' }, deferred],
  })
  const served = await anthropic.beta.messages.create({ ...ask('Risky'), fallbacks: [{ model: 'claude-opus-4-8' }] })
  const rolled = await anthropic.beta.messages.create({
    ...ask('Roll'),
    betas: ['mcp-client-2025-04-04'],
    mcp_servers: [server],
    tools: [{ type: 'mcp_toolset', mcp_server_name: 'dice' }],
  })

  expect(found.content).toMatchObject([
    { type: 'server_tool_use', input: { pattern: 'rain' } },
    { type: 'tool_search_tool_result', content: { tool_references: [{ tool_name: 'weather' }] } },
    { type: 'tool_use', name: 'weather' },
  ])
  expect(served).toMatchObject({
    model: 'claude-opus-4-8',
    content: [{ type: 'fallback', to: { model: 'claude-opus-4-8' } }, { text: 'Served.' }],
    usage: { iterations: [{ type: 'fallback_message' }] },
  })
  expect(searched).toMatchObject({
    stop_reason: 'end_turn',
    usage: { server_tool_use: { web_search_requests: 1 } },
    content: [
      { type: 'server_tool_use', name: 'web_search', input: { query: 'n' } },
      { type: 'web_search_tool_result', content: [{ url: 'https://a.test/', title: 'A' }] },
      { type: 'text', text: 'Good.', citations: [{ url: 'https://a.test/' }] },
    ],
  })
  expect(computed.content.map(({ type }) => type)).toEqual([
    'server_tool_use',
    'bash_code_execution_tool_result',
    'text',
  ])
  expect(rolled.content).toMatchObject([
    { type: 'mcp_tool_use', name: 'roll', server_name: 'dice', input: { sides: 6 } },
    { type: 'mcp_tool_result', content: [{ text: '4' }] },
    { text: 'Four.' },
  ])
  expect((await simulation.requests()).flatMap(({ warnings }) => warnings)).toEqual([
    expect.stringMatching(/^The answer is generated\. Script it: await simulation\.reply\(\{ when: \{ text: "Sum" \}/),
  ])
})

it('cites pages and search results, counts pictures, and refuses thoughts and pictures that are not what they say', async () => {
  const { simulation, anthropic } = await open()
  await simulation.reply({ when: { text: 'colour' }, reasoning: 'Hm.', text: 'The grass is green.' })
  const drawn = 'BT (The grass is green.) Tj ET'
  const pdf = `%PDF-1.4 1 0 obj <</Type /Page /Contents 2 0 R>> endobj 2 0 obj <<>> stream\n${drawn}\nendstream endobj`
  const file = await anthropic.beta.files.upload({ file: await toFile(Buffer.from(pdf), 'a.pdf') })
  const citations = { enabled: true }
  const content: Anthropic.Beta.BetaContentBlockParam[] = [
    { type: 'document', source: { type: 'file', file_id: file.id }, citations },
    {
      type: 'search_result',
      source: 'wiki',
      title: 'W',
      content: [{ type: 'text', text: 'The grass is green.' }],
      citations,
    },
    { type: 'text', text: 'Which colour?' },
  ]
  const picture = (media_type: 'image/gif' | 'image/png'): Anthropic.ContentBlockParam[] => [
    { type: 'image', source: { type: 'base64', media_type, data: 'R0lGODlhyADIAA==' } },
  ]
  const talk = (messages: Anthropic.MessageParam[]) => anthropic.messages.create({ model, max_tokens, messages })

  const answer = await anthropic.beta.messages.create({ model, max_tokens, messages: [{ role: 'user', content }] })
  const [thought] = answer.content
  const next = (thinking: string) =>
    talk([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [{ ...(thought as Anthropic.ThinkingBlock), thinking }] },
      { role: 'user', content: 'y' },
    ])
  const seen = await talk([{ role: 'user', content: picture('image/gif') }])
  const plain = await talk([{ role: 'user', content: [{ type: 'text', text: 'x' }] }])

  expect(answer.content).toMatchObject([
    { type: 'thinking' },
    {
      citations: [
        { type: 'page_location', start_page_number: 1, end_page_number: 2, file_id: file.id },
        { type: 'search_result_location', source: 'wiki', search_result_index: 0 },
      ],
    },
  ])
  expect(seen.usage.input_tokens - plain.usage.input_tokens).toBe(Math.ceil((200 * 200) / 750) - 1)
  expect(await next('Hm.')).toMatchObject({ type: 'message' })
  await expect(next('Other.')).rejects.toThrow('Invalid `signature` in `thinking` block')
  await expect(talk([{ role: 'user', content: picture('image/png') }])).rejects.toThrow(
    'appears to be a image/gif image',
  )
  await expect(anthropic.messages.create(ask('word '.repeat(210_000)), { maxRetries: 0 })).resolves.toBeDefined()
  await expect(
    anthropic.messages.create({ ...ask('word '.repeat(210_000)), model: 'claude-haiku-4-5' }),
  ).rejects.toThrow('prompt is too long')
})

it('refuses values, blocks and fields that the reference does not have, in the words of the API', async () => {
  const { simulation, anthropic } = await open()
  const { key, url } = simulation
  const use = (id: string) => ({ type: 'tool_use', id, name: 'get_weather', input: {} })
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'sunny' }
  const loop = (...content: object[]) => [
    ...ask('x').messages,
    { role: 'assistant', content },
    { role: 'user', content: [result] },
  ]
  const ofUser = (content: unknown) => ({ messages: [{ role: 'user', content }] })
  const thinking = { type: 'enabled', budget_tokens: 1_024 }
  const old = { model: 'claude-haiku-4-5', max_tokens: 2_000, thinking }
  const refused: [object, string][] = [
    [{ temperature: 2 }, 'temperature: range: 0..1'],
    [{ top_k: 'x' }, 'top_k: Input should be a valid integer'],
    [{ service_tier: 'x' }, "service_tier: Input should be 'auto' or 'standard_only'"],
    [{ metadata: { plum: 1 } }, 'metadata.plum: Extra inputs are not permitted'],
    [{ metadata: { user_id: 'x'.repeat(257) } }, 'metadata.user_id: String should have at most 256 characters'],
    [{ system: 5 }, 'system: Input should be a valid array'],
    [{ messages: [{ role: 'developer', content: 'x' }] }, 'Allowed roles are'],
    [{ messages: [{ role: 'user', content: 'x', id: 1 }] }, 'messages.0.id: Extra inputs are not permitted'],
    [ofUser([{ type: 'text' }]), 'messages.0.content.0.text.text: Field required'],
    [ofUser([{ type: 'text', text: 'x', id: 1 }]), 'messages.0.content.0.text.id: Extra inputs are not permitted'],
    [ofUser([{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '2h' } }]), "'5m' or '1h'"],
    [ofUser([{ type: 'image' }]), 'messages.0.content.0.image.source: Field required'],
    [ofUser([{ type: 'image', source: { type: 'x' } }]), "messages.0.content.0.image.source: Input tag 'x' found"],
    [ofUser([{ type: 'document', source: { type: 'url', url: 'http://a.test' } }]), 'Only HTTPS URLs are supported.'],
    [{ tool_choice: { type: 'any' } }, '`tool_choice` may only be specified while providing `tools`.'],
    [{ tools: [WEATHER], tool_choice: { type: 'x' } }, "tool_choice: Input tag 'x' found using 'type'"],
    [{ tools: [{ ...WEATHER, plum: 1 }] }, 'tools.0.custom.plum: Extra inputs are not permitted'],
    [{ tools: [{ name: 'a', input_schema: {} }] }, 'tools.0.custom.input_schema.type: Field required'],
    [{ tools: [WEATHER], messages: loop(use('a b')) }, 'messages.1.content.0.tool_use.id: String should match'],
    [{ tools: [WEATHER], messages: loop(use('toolu_1'), use('toolu_1')) }, '`tool_use` ids must be unique'],
    [
      {
        tools: [WEATHER],
        messages: [
          ...loop(use('toolu_1')).slice(0, 2),
          { role: 'user', content: [{ type: 'text', text: 'x' }, result] },
        ],
      },
      'were found without `tool_result` blocks immediately after',
    ],
    [{ context_management: { edits: [{ type: 'x' }] } }, "context_management.edits.0: Input tag 'x' found"],
    [{ ...old, tools: [WEATHER], messages: loop(use('toolu_1')) }, 'Expected `thinking` or `redacted_thinking`'],
    [{ ...old, top_k: 5 }, '`top_k` must be unset when thinking is enabled.'],
    [{ ...old, model: 'claude-3-haiku-20240307' }, 'does not support thinking'],
    [{ output_config: { effort: 'low' }, model: 'claude-haiku-4-5' }, 'does not support the effort parameter'],
    [{ output_config: { format: { type: 'json' } } }, "output_config.format.type: Input should be 'json_schema'"],
  ]

  const messages = await Promise.all(
    refused.map(([options]) =>
      anthropic.messages.create({ ...ask('x'), ...options } as Anthropic.MessageCreateParamsNonStreaming).then(
        () => 'accepted',
        (error: Error) => error.message,
      ),
    ),
  )
  const thought = await anthropic.messages.create({ ...ask('x'), ...old } as Anthropic.MessageCreateParamsNonStreaming)
  const body = JSON.stringify(ask('x'))
  const unversioned = await fetch(`${url}/v1/messages`, { method: 'POST', headers: { 'x-api-key': key }, body })

  expect(messages).toEqual(refused.map(([, message]) => expect.stringContaining(message)))
  expect(thought.content).toMatchObject([{ type: 'thinking' }, { type: 'text' }])
  expect(await unversioned.json()).toMatchObject({ error: { message: 'anthropic-version: header is required' } })
})
