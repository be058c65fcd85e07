import { wordsOf } from '../../protocol/name-words.ts'

/** `billing_address_line1`, however it was written. */
export function snakeCase(name: string): string {
  return wordsOf(name).join('_')
}

/** As people write it: `billing address line1`. */
export function plainWords(name: string): string {
  return wordsOf(name).join(' ')
}

const SAME_IN_BOTH = /(?:ss|us|is|news|series|data|media|status|analysis|address)$/

/** The singular of the last word of a snake-cased plural, for phrases: `pull_requests` gives `pull_request`. */
export function singularOf(name: string): string {
  if (name.endsWith('ies') && !/(?:movies|cookies|series)$/.test(name)) return `${name.slice(0, -3)}y`
  if (name.endsWith('movies') || name.endsWith('cookies')) return name.slice(0, -1)
  if (/(?:sses|ches|shes|xes|statuses|aliases|viruses|buses)$/.test(name)) return name.slice(0, -2)
  if (name.endsWith('people')) return `${name.slice(0, -6)}person`
  if (SAME_IN_BOTH.test(name) || !name.endsWith('s')) return name
  return name.slice(0, -1)
}

/** `text` with a capital first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
