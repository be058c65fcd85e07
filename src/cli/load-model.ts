import type { LanguageModel } from '../service/instructions/language-model.ts'

/** What `--model` accepts, for messages. */
const FORM = '`provider:name`, such as `openai:gpt-5` or `openai-compatible:llama-3`'

/**
 * The language model that `--model provider:name` means: `@ai-sdk/<provider>` as it is installed beside backlot. With
 * `openai-compatible`, `BACKLOT_MODEL_URL` is the server's base URL and `BACKLOT_MODEL_KEY` its key.
 *
 * Throws an Error that says what to install or set.
 */
export async function loadModel(text: string, environment: NodeJS.ProcessEnv): Promise<LanguageModel> {
  const [, provider, name] = /^([a-z][a-z0-9-]*):(.+)$/.exec(text) ?? []
  if (provider === undefined || name === undefined) throw new Error(`Expected --model to be ${FORM}, got "${text}".`)
  const module = await importProvider(provider)
  if (provider === 'openai-compatible') return createCompatible(module, name, environment)
  const create = module[toExportName(provider)]
  if (typeof create !== 'function') {
    throw new Error(
      `Failed to load model "${text}": @ai-sdk/${provider} has no provider named ${toExportName(provider)}.`,
    )
  }
  return create(name) as LanguageModel
}

async function importProvider(provider: string): Promise<Record<string, unknown>> {
  const name = `@ai-sdk/${provider}`
  try {
    return (await import(name)) as Record<string, unknown>
  } catch (cause) {
    throw new Error(`Failed to load ${name}. Install it beside backlot: npm install ai ${name}.`, { cause })
  }
}

function createCompatible(
  module: Record<string, unknown>,
  name: string,
  { BACKLOT_MODEL_URL: baseURL, BACKLOT_MODEL_KEY: apiKey }: NodeJS.ProcessEnv,
): LanguageModel {
  if (!baseURL)
    throw new Error('Expected BACKLOT_MODEL_URL to be the base URL of an OpenAI-compatible server, got nothing.')
  const create = module.createOpenAICompatible as (options: object) => (model: string) => LanguageModel
  return create({ name: 'backlot', baseURL, ...(apiKey && { apiKey }), supportsStructuredOutputs: true })(name)
}

/** `google-vertex` is exported as `googleVertex`. */
const toExportName = (provider: string): string =>
  provider.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
