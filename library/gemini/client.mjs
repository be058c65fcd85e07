import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GoogleGenAI } from '@google/genai'

async function all(items) {
  const found = []
  for await (const item of await items) found.push(item)
  return found
}

/** The SDK, with what a step cannot call: files of a text, streams and pages read to their end. */
export default function open({ url, key }) {
  const ai = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
  const named = (name) => (name.includes('/') ? name : `files/${name}`)
  return Object.assign(ai, {
    ask: async (request) => {
      const answer = await ai.models.generateContent(request)
      return { ...answer, text: answer.text, functionCalls: answer.functionCalls }
    },
    upload: (text, type, config = {}) => ai.files.upload({ file: new Blob([text], { type }), config }),
    uploadTo: (fileSearchStoreName, text, displayName, customMetadata) =>
      ai.fileSearchStores.uploadToFileSearchStore({
        fileSearchStoreName,
        file: new Blob([text], { type: 'text/plain' }),
        config: { displayName, customMetadata },
      }),
    // The SDK asks for an operation by an object of its own.
    operation: ({ name }) => fetch(`${url}/v1beta/${name}?key=${key}`).then((answer) => answer.json()),
    documentsOf: (parent) => all(ai.fileSearchStores.documents.list({ parent })),
    storesOf: () => all(ai.fileSearchStores.list()),
    contentOf: async (file) => {
      const folder = await mkdtemp(join(tmpdir(), 'gemini-'))
      const downloadPath = join(folder, 'file')
      try {
        await ai.files.download({ file: named(file), downloadPath })
        return (await readFile(downloadPath, 'utf8')).trim().split('\n').map(JSON.parse)
      } finally {
        await rm(folder, { recursive: true })
      }
    },
    /** The text, the calls and the last chunk of a stream. */
    streamContent: async (request) => {
      const chunks = await all(ai.models.generateContentStream(request))
      const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
      const text = parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('')
      const thoughts = parts.map((part) => (part.thought ? part.text : '')).join('')
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
      return {
        text,
        thoughts,
        calls,
        usageMetadata: chunks.at(-1).usageMetadata,
        finishReason: chunks.at(-1).candidates?.[0].finishReason,
      }
    },
    streamInteraction: async (request) =>
      (await all(ai.interactions.create({ ...request, stream: true }))).map(({ event_type }) => event_type),
    resumeInteraction: async (id, last_event_id) =>
      (await all(ai.interactions.get(id, { stream: true, last_event_id }))).map(({ event_type }) => event_type),
    namesOf: async (list, pageSize) => (await all(ai[list].list({ config: { pageSize } }))).map(({ name }) => name),
    /** A question in a chat, whose functions the SDK calls by itself. */
    chat: async (request, message, result) => {
      const [{ functionDeclarations }] = request.config.tools
      const tool = {
        tool: async () => ({ functionDeclarations }),
        callTool: async (calls) =>
          calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { output: result } } })),
      }
      const chat = ai.chats.create({ ...request, config: { ...request.config, tools: [tool] } })
      return { text: (await chat.sendMessage({ message })).text, turns: chat.getHistory().length }
    },
  })
}

/** Google's SDK has no verifier: these are the lines of its guide, which follow Standard Webhooks. */
export function verify({ rawBody, headers, secret }) {
  if (Math.abs(Date.now() / 1_000 - Number(headers['webhook-timestamp'])) > 300) return false
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${rawBody}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
