import OpenAI, { toFile } from 'openai'

/** The SDK, with what a step cannot call: files of a text, streams read to their end. */
export default function open({ url, key }) {
  const openai = new OpenAI({ apiKey: key, adminAPIKey: key, baseURL: `${url}/v1` })
  return Object.assign(openai, {
    upload: async (text, name, purpose, times = 1) =>
      openai.files.create({ file: await toFile(Buffer.from(Array(times).fill(text).join('\n')), name), purpose }),
    uploadFor: async (text, name, seconds) => {
      const expires_after = { anchor: 'created_at', seconds }
      return openai.files.create({ file: await toFile(Buffer.from(text), name), purpose: 'assistants', expires_after })
    },
    putInside: async (id, text, name) =>
      openai.containers.files.create(id, { file: await toFile(Buffer.from(text), name) }),
    addPart: async (id, text) => openai.uploads.parts.create(id, { data: await toFile(Buffer.from(text), 'part') }),
    contentOf: async (id) => (await openai.files.content(id)).text(),
    streamChat: (body) => openai.chat.completions.stream(body).finalChatCompletion(),
    /** What a stream has of calls other than those of functions, which the SDK's own helper reads. */
    streamCalls: async (body) => {
      const parts = { custom: '', function_call: '' }
      for await (const { choices } of await openai.chat.completions.create({ ...body, stream: true })) {
        const { tool_calls: [call] = [], function_call } = choices[0].delta
        parts.custom += call?.custom.input ?? ''
        parts.function_call += function_call?.arguments ?? ''
      }
      return parts
    },
    /** What a stream says aloud. */
    hear: async (body) => {
      let transcript = ''
      for await (const { choices } of await openai.chat.completions.create({ ...body, stream: true }))
        transcript += choices[0].delta.audio?.transcript ?? ''
      return { transcript }
    },
    streamResponse: (body) => openai.responses.stream(body).finalResponse(),
    transcribe: async (name, more = {}) =>
      openai.audio.transcriptions.create({ file: await toFile(Buffer.from('x'), name), model: 'whisper-1', ...more }),
  })
}

export async function verify({ rawBody, type, headers, secret }) {
  const openai = new OpenAI({ apiKey: 'none', webhookSecret: secret })
  return (await openai.webhooks.unwrap(rawBody.toString(), headers)).type === type
}
