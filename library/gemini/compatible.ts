import { answerChat, repliesTo } from '../openai/chat.ts'
import { toTalk } from '../openai/chat-talk.ts'
import type { Context as ChatContext } from '../openai/context.ts'
import { faultOfChat } from '../openai/request-fault.ts'
import type { Fields } from '../shared/values.ts'
import { type Context, refuseWith } from './context.ts'
import { embed } from './embeddings.ts'
import { checkModel, idOf, LISTED, modelFault } from './models.ts'

const checked = (context: Context, method: string): string => {
  const model = idOf(context.body.model)
  const fault = modelFault(context, model, method)
  return fault === undefined ? model : refuseWith(context, fault)
}

const toModel = (id: string) => ({ id: `models/${id}`, object: 'model', owned_by: 'google' })

/** The address of Google for clients of OpenAI: chats, embeddings and models. */
export const compatible = {
  'POST /openai/chat/completions': (context: Context) => {
    const model = checked(context, 'generateContent')
    // A chat keeps nothing here, and has only pictures and texts.
    const chat = context as unknown as ChatContext
    const body: Fields = { ...context.body, store: false }
    const fault = faultOfChat(chat, body)
    if (fault !== undefined) refuseWith(context, { status: 400, message: fault.message })
    const talk = toTalk(chat, model, body)
    const replies = repliesTo(body, () => context.reply(talk))
    return answerChat(chat, body, model, replies)
  },
  'POST /openai/embeddings': (context: Context) => {
    const model = checked(context, 'embedContent')
    const { input, dimensions = null } = context.body
    const request = { ...(dimensions !== null && { outputDimensionality: dimensions }) }
    const data = [input ?? []].flat().map((text, index) => {
      const { values } = embed(context, model, { ...request, content: { parts: [{ text: String(text) }] } })
      return { object: 'embedding', index, embedding: values }
    })
    return { object: 'list', data, model, usage: { prompt_tokens: 0, total_tokens: 0 } }
  },
  'GET /openai/models': () => ({ object: 'list', data: LISTED.map(toModel) }),
  'GET /openai/models/{model}': (context: Context) => toModel(checkModel(context)),
}
