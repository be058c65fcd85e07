import { listOf } from '../openai/context.ts'
import { type Context, invalid, read, refuseWith, type Work } from './context.ts'
import { checkModel } from './models.ts'
import { textOf } from './talk.ts'

/** Most texts of one request. */
const MOST = 100

export function embed({ embeddings }: Work, model: string, request: unknown): { values: number[] } {
  const usual = model.startsWith('gemini-') ? 3_072 : 768
  const size = Number(read(request, 'outputDimensionality') ?? usual)
  const [vector = []] = embeddings([textOf(read(request, 'content'))], size)
  return { values: [...vector] }
}

export const embeddings = {
  'POST /models/{model}:embedContent': (context: Context) => {
    const model = checkModel(context, 'embedContent')
    if (textOf(context.body.content) === '')
      refuseWith(context, invalid('* EmbedContentRequest.content: content is empty'))
    return { embedding: embed(context, model, context.body) }
  },
  'POST /models/{model}:batchEmbedContents': (context: Context) => {
    const model = checkModel(context, 'batchEmbedContents')
    const requests = listOf(context.body.requests)
    if (requests.length === 0 || requests.length > MOST)
      refuseWith(context, invalid(`* BatchEmbedContentsRequest.requests: 1 to ${MOST} requests can be in one batch`))
    return { embeddings: requests.map((request) => embed(context, model, request)) }
  },
}
