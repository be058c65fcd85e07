import type { Effect } from '../../model.ts'
import { countShared, fieldsOf, isObjectSchema, schemaOfBody } from '../bodies/bodies.ts'
import { lastStatic } from '../paths/path-shape.ts'
import { nounWritten } from '../paths/setting-words.ts'
import { type PathSite, type Placed, shownAt } from '../paths/sites.ts'
import type { Kit } from './path-surroundings.ts'

/** `POST /dns_config` beside `GET /dns_info`, `POST /tls/configure` beside `GET /tls/status`: changes the document that shows its fields. */
export function documentBeside({ build, catalogue }: Kit, operation: Placed): Effect | undefined {
  const { draft, shape } = operation
  if (!/^(POST|PUT|PATCH)$/.test(draft.method) || shape.trailing.length > 0) return undefined
  const noun = nounWritten(lastStatic(shape.steps))
  const outer = shape.steps.slice(0, -1)
  const sent = schemaOfBody(draft.requestBody)
  const { size } = fieldsOf(sent)
  if (noun === undefined || size === 0 || (noun === '' && outer.length === 0)) return undefined
  const [only, ...more] = catalogue
    .documentsBeside(outer, noun)
    .filter((site) => countShared(sent, shownAt(site)) >= size * 0.6)
  return only && more.length === 0 ? build.singleton(operation, only, 'singletonUpdate') : undefined
}

/** Whether a path shows most of what is sent to it: then it is a document, whatever verb its last word is. */
export function isSentAndShown({ draft }: Placed, site: PathSite): boolean {
  const answer = shownAt(site)
  const sent = schemaOfBody(draft.requestBody)
  const { size } = fieldsOf(sent)
  return isObjectSchema(answer) && size > 1 && countShared(sent, answer) >= size * 0.6
}
