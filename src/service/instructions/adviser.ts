import { badRequest } from '../../protocol/errors.ts'
import { uuidFrom } from '../../runtime/uuid.ts'
import type { Schema } from '../../schema/schema.ts'
import type { ApiModel, CollectionModel } from '../openapi/model.ts'
import type { Proposal, proposalRequest } from './proposal.ts'

/**
 * A language model of the `ai` package, version 6 or later: the result of a provider (`openai('gpt-5')`), or a model id
 * of the AI gateway. Opaque here, so that the package stays optional.
 */
export type LanguageModel = string | { readonly modelId: string; readonly provider: string }

/** Timeout of a language model, in milliseconds. */
const TIMEOUT_MS = 60_000
/** Most cached proposals; the oldest are dropped first. */
const CAPACITY = 200

const TASK =
  'You set up a simulation of an HTTP API for tests. Propose volumes, realistic field values and a behaviour plan that ' +
  'follow the instructions. Use only collections, fields and enum values that the API has. Propose nothing where the ' +
  'instructions say nothing.'

/** A question to a language model: the same question gets the cached proposal. */
interface Question {
  readonly model: ApiModel
  readonly instructions: string
  readonly seed: string
}

/** Asks a language model how instructions apply to the data of an API, and caches its proposals. */
export class Adviser {
  readonly #languageModel: LanguageModel
  readonly #known = new Map<string, Promise<Proposal>>()

  constructor(languageModel: LanguageModel) {
    this.#languageModel = languageModel
  }

  recall(question: Question): Promise<Proposal> | undefined {
    return this.#known.get(nameOf(question))
  }

  /** Asks the language model. Rejects with `bad_request` when it fails; the question can then be asked again. */
  ask(question: Question): Promise<Proposal> {
    const name = nameOf(question)
    const asked = this.#ask(question)
    this.#known.set(name, asked)
    asked.catch(() => this.#known.delete(name))
    if (this.#known.size > CAPACITY) this.#known.delete(this.#known.keys().next().value as string)
    return asked
  }

  async #ask({ model, instructions }: Question): Promise<Proposal> {
    const [{ generateText, Output }, { boundProposal, proposalRequest }] = await Promise.all([
      loadPackage(),
      import('./proposal.ts'),
    ])
    try {
      const { output } = await generateText({
        model: this.#languageModel,
        output: Output.object({ schema: proposalRequest }),
        prompt: `${TASK}\n\n${briefOf(model)}\n\nInstructions: ${instructions}`,
        timeout: TIMEOUT_MS,
      })
      return boundProposal(proposalRequest.parse(output), model)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message.slice(0, 300) : String(cause)
      throw badRequest(
        `Failed to use the language model: ${reason}. Check the service's model, or send \`useModel: false\` to do without.`,
        cause,
      )
    }
  }
}

/** The part of the `ai` package that is used here; its own types do not pass `exactOptionalPropertyTypes`. */
interface AiPackage {
  generateText(options: {
    model: LanguageModel
    output: unknown
    prompt: string
    timeout: number
  }): Promise<{ output: unknown }>
  Output: { object(options: { schema: typeof proposalRequest }): unknown }
}

async function loadPackage(): Promise<AiPackage> {
  const name = 'ai'
  try {
    return (await import(name)) as AiPackage
  } catch (cause) {
    throw badRequest(
      'Failed to use the language model: the service lacks the package `ai`. Install it: npm install ai.',
      cause,
    )
  }
}

const nameOf = ({ model, instructions, seed }: Question): string => uuidFrom(briefOf(model), instructions, seed)

const MOST_COLLECTIONS = 40
const MOST_FIELDS = 30

/** A summary of an API for a language model: its collections, their fields, and the values of enums. */
function briefOf(model: ApiModel): string {
  const collections = model.collections.slice(0, MOST_COLLECTIONS).map(collectionBrief)
  return [`API: ${model.title} ${model.version}`, ...collections].join('\n')
}

function collectionBrief({ name, schema, statusField, parent }: CollectionModel): string {
  const fields = [...(schema?.properties ?? [])]
    .slice(0, MOST_FIELDS)
    .map(([field, value]) => `${field}: ${typeText(value)}`)
  const facts = [parent && `below ${parent.collection}`, statusField && `status in ${statusField.join('.')}`].filter(
    Boolean,
  )
  return `- ${name}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}: ${fields.join('; ')}`
}

function typeText({ enum: values, types, format }: Schema): string {
  if (values !== undefined) return values.slice(0, 20).map(String).join('|')
  return format ?? (types.join('|') || 'any')
}
