import type { ModelReply } from '../../src/handlers.ts'
import { argumentsOf, type Call, pagesOf, splitCalls, textOfResult } from '../shared/hosted-calls.ts'
import { type Fields, type Json, listOf, toSnake } from '../shared/values.ts'
import { contentsOf, partsOf, read, type Work } from './context.ts'
import { textOf } from './talk.ts'

/** Tools that Google runs, by the field of a tool. */
const KINDS = ['googleSearch', 'googleSearchRetrieval', 'googleMaps', 'codeExecution', 'urlContext']

/** What tools do that Google runs: parts before the text, fields of the candidate, and the calls that are left. */
export interface Grounding {
  readonly parts: Fields[]
  readonly fields: Fields
  readonly left: readonly Call[]
}

/** The pages that a call reads: of its script, or in the question. */
function urlsOf(call: Call, question = ''): Json[] {
  const { urls } = argumentsOf(call.arguments)
  if (urls !== undefined) return [urls].flat()
  const shown = call.result === undefined ? [] : pagesOf(call).map(({ url }) => url)
  const found = shown.filter((url) => /^https?:/.test(String(url)))
  return found.length > 0 ? found : (question.match(/https?:\/\/[^\s"<>]+/g) ?? [])
}

/** @param found the chunks of files that the text is grounded on */
export function toGrounding(
  { id }: Pick<Work, 'id'>,
  body: Fields,
  reply: ModelReply,
  found?: readonly { title: string; text: string; store: string }[],
): Grounding {
  const tools = listOf(body.tools)
  const kinds = KINDS.filter((kind) => tools.some((tool) => read(tool, kind) !== undefined))
  const last = contentsOf(body).at(-1) ?? {}
  const isAsked = !partsOf(last).some((part) => read(part, 'functionResponse'))
  const { hosted, left } = splitCalls(reply, kinds.map(toSnake), isAsked)
  const question = textOf(last)
  const parts: Fields[] = []
  let fields: Fields = {}
  for (const call of hosted) {
    const given = argumentsOf(call.arguments)
    switch (call.name) {
      case 'code_execution': {
        const code = String(
          given.code ?? (call.arguments || `# Simulated: no script has the code for ${JSON.stringify(question)}`),
        )
        parts.push(
          { executableCode: { language: 'PYTHON', code, id: id() } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: textOfResult(call.result) } },
        )
        break
      }
      case 'url_context': {
        const urlMetadata = urlsOf(call, question).map((retrievedUrl) => ({
          retrievedUrl,
          urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS',
        }))
        fields = { ...fields, urlContextMetadata: { urlMetadata } }
        break
      }
      default:
        fields = {
          ...fields,
          groundingMetadata: groundingOf(call, {
            queries: queriesOf(given, question),
            text: reply.text,
            placeId: `places/${id()}`,
          }),
        }
    }
  }
  if (found !== undefined && fields.groundingMetadata === undefined) {
    const chunks = found.map(({ title, text, store }) => ({
      retrievedContext: { title, text, fileSearchStore: store },
    }))
    fields = { ...fields, groundingMetadata: supported(chunks, reply.text) }
  }
  return { parts, fields, left }
}

/** What a search looks for: `query` or `queries` of its script, otherwise the question. */
const queriesOf = ({ query, queries }: Fields, question = ''): Json => queries ?? [query ?? question]

/** The pages or places that a text is grounded on. */
function groundingOf(call: Call, { queries, text, placeId }: { queries: Json; text: string; placeId: string }) {
  const isMap = call.name === 'google_maps'
  const chunks = pagesOf(call).map(({ url: uri, title }) =>
    isMap ? { maps: { uri, title, placeId } } : { web: { uri, title } },
  )
  return {
    ...(!isMap && { webSearchQueries: queries, searchEntryPoint: { renderedContent: '<div>Simulated search</div>' } }),
    ...supported(chunks, text),
  }
}

/** Sources, and that they support a text. */
function supported(chunks: Fields[], text: string): Fields {
  const segment = { startIndex: 0, endIndex: Buffer.byteLength(text), text }
  const isSupported = text !== '' && chunks.length > 0
  return {
    groundingChunks: chunks,
    groundingSupports: isSupported ? [{ segment, groundingChunkIndices: chunks.map((_, at) => at) }] : [],
  }
}

/** The steps of an interaction for what Google's tools do before the text, what the text cites, and the calls that are left. */
export function toHostedSteps(
  { id }: Pick<Work, 'id'>,
  tools: readonly Fields[],
  reply: ModelReply,
  question: string | undefined,
): { steps: Fields[]; annotations: Fields[]; left: readonly Call[] } {
  const kinds = KINDS.map(toSnake).filter((kind) => tools.some(({ type }) => type === kind))
  const { hosted, left } = splitCalls(reply, kinds, question !== undefined)
  const steps = hosted.flatMap((call) => {
    const given = argumentsOf(call.arguments)
    const call_id = id('call_')
    const pair = (input: Fields, result: Json): Fields[] => [
      { type: `${call.name}_call`, id: call_id, arguments: input },
      { type: `${call.name}_result`, call_id, result },
    ]
    const pages = pagesOf(call)
    if (call.name === 'code_execution')
      return pair({ language: 'python', code: given.code ?? call.arguments }, textOfResult(call.result))
    if (call.name === 'url_context') {
      const urls = urlsOf(call, question)
      return pair(
        { urls },
        urls.map((url) => ({ url, status: 'success' })),
      )
    }
    if (call.name === 'google_maps') {
      const places = pages.map(({ url, title }) => ({ name: title, url, place_id: `places/${id()}` }))
      return pair({ queries: queriesOf(given, question) }, [{ places }])
    }
    return pair({ queries: queriesOf(given, question) }, [{ search_suggestions: '<div>Simulated search</div>' }])
  })
  const end_index = Buffer.byteLength(reply.text)
  const annotations = hosted
    .filter(({ name }) => name === 'google_search')
    .flatMap(pagesOf)
    .map((page) => ({ type: 'url_citation', ...page, start_index: 0, end_index }))
  return { steps, annotations, left }
}
