import { badRequest } from '../../protocol/errors.ts'
import { uuidFrom } from '../../runtime/uuid.ts'
import type { ApiModel } from '../openapi/model.ts'
import { briefOf } from './brief.ts'
import type { LanguageModel } from './language-model.ts'
import { boundProposal, type Proposal, proposalRequest } from './proposal.ts'

/** How long a language model may take, in milliseconds. */
const TIMEOUT_MS = 60_000
/** Proposals that are remembered; the oldest are forgotten first. */
const CAPACITY = 200

const TASK =
  'You set up a simulation of an HTTP API for tests. Propose volumes, realistic field values and a behaviour plan that ' +
  'follow the instructions. Use only collections, fields and enum values that the API has. Propose nothing where the ' +
  'instructions say nothing.'

/** What a proposal is asked for. */
export interface AdviceRequest {
  readonly model: ApiModel
  readonly instructions: string
  readonly seed: string
  /** Called before the language model is: takes its price, or throws. Not called where the answer is remembered. */
  readonly pay: () => void
}

/** Asks a language model what instructions mean for the data of an API; the same question is asked but once. */
export class Adviser {
  readonly #languageModel: LanguageModel
  readonly #known = new Map<string, Promise<Proposal>>()

  constructor(languageModel: LanguageModel) {
    this.#languageModel = languageModel
  }

  /** Throws `bad_request` when the language model fails; what was paid stays paid only where it answered. */
  advise({ model, instructions, seed, pay }: AdviceRequest): Promise<Proposal> {
    const brief = briefOf(model)
    const name = uuidFrom(brief, instructions, seed)
    const known = this.#known.get(name)
    if (known !== undefined) return known
    pay()
    const asked = this.#ask(brief, instructions, model)
    this.#known.set(name, asked)
    asked.catch(() => this.#known.delete(name))
    if (this.#known.size > CAPACITY) this.#known.delete(this.#known.keys().next().value as string)
    return asked
  }

  async #ask(brief: string, instructions: string, model: ApiModel): Promise<Proposal> {
    const { generateText, Output } = await loadPackage()
    try {
      const { output } = await generateText({
        model: this.#languageModel,
        output: Output.object({ schema: proposalRequest }),
        prompt: `${TASK}\n\n${brief}\n\nInstructions: ${instructions}`,
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
      'Failed to use the language model: the service lacks the package `ai`. Install it beside backlot: npm install ai.',
      cause,
    )
  }
}
