import { type Fields, listOf } from '../shared/values.ts'
import { type Context, invalid, read, refuseWith, type Work } from './context.ts'
import { checkModel } from './models.ts'
import { formFault } from './payload.ts'
import { textOf } from './talk.ts'

/** Most texts of one request. */
const MOST = 100

export function embed({ embeddings }: Work, model: string, request: unknown): { values: number[] } {
  const usual = model.startsWith('gemini-') ? 3_072 : 768
  const size = Number(read(request, 'outputDimensionality') ?? usual)
  const [vector = []] = embeddings([textOf(read(request, 'content'))], size)
  return { values: [...vector] }
}

/** Refuses another form than Google's, and vectors of sizes that no model has. */
function check(context: Context, kind: string, requests: readonly Fields[]): void {
  const sizes = requests.map((one) => Number(read(one, 'outputDimensionality') ?? 1))
  const size = sizes.find((one) => one < 1 || one > MOST_SIZE)
  const bound = `* ${kind}.output_dimensionality: output_dimensionality must be in the range [1, ${MOST_SIZE}]\n`
  const fault = formFault(context.body, kind) ?? (size === undefined ? undefined : invalid(bound))
  if (fault !== undefined) refuseWith(context, fault)
}

const MOST_SIZE = 3_072

export const embeddings = {
  'POST /models/{model}:embedContent': (context: Context) => {
    const model = checkModel(context, 'embedContent')
    check(context, 'EmbedContentRequest', [context.body])
    if (textOf(context.body.content) === '')
      refuseWith(context, invalid('* EmbedContentRequest.content: content is empty'))
    return { embedding: embed(context, model, context.body) }
  },
  'POST /models/{model}:batchEmbedContents': (context: Context) => {
    const model = checkModel(context, 'batchEmbedContents')
    const requests = listOf(context.body.requests)
    if (requests.length === 0) refuseWith(context, invalid('* BatchEmbedContentsRequest.requests: must not be empty'))
    if (requests.length > MOST)
      refuseWith(context, invalid(`* BatchEmbedContentsRequest.requests: at most ${MOST} requests can be in one batch`))
    check(context, 'BatchEmbedContentsRequest', requests)
    return { embeddings: requests.map((request) => embed(context, model, request)) }
  },
}
