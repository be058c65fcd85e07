import { type Fields, type Json, listOf } from '../shared/values.ts'
import { textOf } from './chat-talk.ts'
import type { Context } from './context.ts'
import { toTexts } from './embeddings.ts'
import { scripted } from './errors.ts'

/** Words of a category: enough for a test of both outcomes, and no judgement. */
const WORDS: Readonly<Record<string, RegExp>> = {
  violence: /\b(?:kill|murder|stab|shoot)\w*/i,
  harassment: /\b(?:idiot|stupid|loser)\w*/i,
  'self-harm': /\b(?:suicide|self-harm)\b/i,
  hate: /\b(?:hate (?:them|those) people)\b/i,
}
/** Categories that pictures are judged by: https://developers.openai.com/api/docs/guides/moderation */
const OF_PICTURES = /^(?:self-harm|sexual$|violence)/
const MODEL = 'omni-moderation-latest'
const CATEGORIES = [
  ...['harassment', 'harassment/threatening', 'hate', 'hate/threatening', 'illicit', 'illicit/violent', 'self-harm'],
  ...['self-harm/intent', 'self-harm/instructions', 'sexual', 'sexual/minors', 'violence', 'violence/graphic'],
]

export function moderate({ input, model = MODEL }: Fields): Fields {
  const parts = listOf(input)
  // Parts of one input have one result; pictures are not judged.
  const isOne = parts.some(({ type }) => type === 'text' || type === 'image_url')
  const kinds = isOne ? [...new Set(parts.map(({ type }) => (type === 'text' ? 'text' : 'image')))] : ['text']
  const results = (isOne ? [textOf(parts)] : toTexts(input)).map((text): Fields => {
    const isIn = (name: string): boolean => WORDS[name]?.test(text) ?? false
    const byName = (toValue: (name: string) => Json): Fields =>
      Object.fromEntries(CATEGORIES.map((name) => [name, toValue(name)]))
    return {
      flagged: CATEGORIES.some(isIn),
      categories: byName(isIn),
      category_scores: byName((name) => (isIn(name) ? 0.9 : 0.001)),
      category_applied_input_types: byName((name) => kinds.filter((kind) => kind === 'text' || OF_PICTURES.test(name))),
    }
  })
  return { id: 'modr-backlot', model, results }
}

export const moderations = {
  'POST /moderations': (context: Context) => {
    const { body, refuse } = context
    const { model = MODEL } = body
    if (!/moderation/.test(String(model)))
      refuse(400, { field: 'model', message: `The model '${model}' is no moderation model. Use '${MODEL}'.` })
    const count = listOf(body.input).filter(({ type }) => type === 'image_url').length
    // https://github.com/antiwork/gumroad/pull/4709 shows the answer.
    if (count > 1)
      refuse(400, {
        code: 'too_many_images',
        field: 'input',
        message: `Number of images (${count}) exceeds maximum of 1`,
      })
    return scripted(context, textOf(body.input), () => moderate(body))
  },
}
