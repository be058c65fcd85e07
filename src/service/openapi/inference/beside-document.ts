import { singularOf } from '../../../names/nouns.ts'
import { wordsOf } from '../../../names/words.ts'
import type { Effect } from '../model.ts'
import { countShared, fieldsOf, isObjectSchema, schemaOfBody } from './bodies.ts'
import { keyOfSteps, lastStatic } from './path-shape.ts'
import type { Kit } from './path-surroundings.ts'
import { type PathSite, type Placed, shownAt } from './sites.ts'

/** Words of paths that write settings, in the singular. */
const SETS = new Set(
  'config configure configuration setting option preference setup set save update edit change apply'.split(' '),
)
/** Words of paths that show them. */
const SHOWS = new Set([...SETS, ...'status state info detail get show list current all'.split(' ')])

/** `POST /dns_config` beside `GET /dns_info`, `POST /tls/configure` beside `GET /tls/status`: changes the document that shows its fields. */
export function documentBeside({ build, catalogue }: Kit, operation: Placed): Effect | undefined {
  const { draft, shape } = operation
  const text = lastStatic(shape.steps)
  const words = namesOf(text)
  if (!/^(POST|PUT|PATCH)$/.test(draft.method) || shape.trailing.length > 0 || !words.some((word) => SETS.has(word))) {
    return undefined
  }
  const sent = schemaOfBody(draft.requestBody)
  const noun = without(words, SETS)
  const outer = shape.steps.slice(0, -1)
  if (fieldsOf(sent).size === 0 || (noun === '' && outer.length === 0)) return undefined
  const isMeant = (site: PathSite): boolean => {
    const answer = shownAt(site)
    const isNamed = without(namesOf(lastStatic(site.steps)), SHOWS) === noun
    return isNamed && countShared(sent, answer) >= fieldsOf(sent).size * 0.6
  }
  const [only, ...more] = catalogue.documentsBelow(keyOfSteps(outer)).filter(isMeant)
  return only && more.length === 0 ? build.singleton(operation, only, 'singletonUpdate') : undefined
}

const namesOf = (text: string): string[] => wordsOf(text).map(singularOf)

const without = (words: readonly string[], said: ReadonlySet<string>): string =>
  words.filter((word) => !said.has(word)).join(' ')

/** Whether a path shows most of what is sent to it: then it is a document, whatever verb its last word is. */
export function isSentAndShown({ draft }: Placed, site: PathSite): boolean {
  const answer = shownAt(site)
  const sent = schemaOfBody(draft.requestBody)
  const { size } = fieldsOf(sent)
  return isObjectSchema(answer) && size > 1 && countShared(sent, answer) >= size * 0.6
}
