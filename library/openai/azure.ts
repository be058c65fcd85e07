import type { Fields } from '../shared/values.ts'
import type { Context } from './context.ts'
import { isAzure } from './models.ts'

const HARMS = ['hate', 'self_harm', 'sexual', 'violence']

/** What Azure's filters found in a text: nothing, or violence where they cut it. */
const foundIn = (isCut: boolean): Fields =>
  Object.fromEntries(
    HARMS.map((name) => {
      const filtered = isCut && name === 'violence'
      return [name, { filtered, severity: filtered ? 'medium' : 'safe' }]
    }),
  )

const JAILBREAK = { jailbreak: { filtered: false, detected: false } }

/** A completion as Azure answers it: with what its filters found (learn.microsoft.com, "Content filtering annotations"). */
export function asFiltered(context: Context, completion: Fields): Fields {
  if (!isAzure(context)) return completion
  const choices = (completion.choices as Fields[]).map((choice) => ({
    ...choice,
    content_filter_results: foundIn(choice.finish_reason === 'content_filter'),
  }))
  const prompt_filter_results = [{ prompt_index: 0, content_filter_results: { ...foundIn(false), ...JAILBREAK } }]
  return { ...completion, choices, prompt_filter_results }
}
