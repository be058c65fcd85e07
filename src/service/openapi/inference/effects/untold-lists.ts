import { foldNoun, singularOf } from '../../../../names/nouns.ts'
import type { Effect } from '../../model.ts'
import { schemaOfResponse } from '../bodies/bodies.ts'
import { openList } from '../bodies/shapes.ts'
import { lastStatic, untilParam } from '../paths/path-shape.ts'
import type { PathSite, Placed } from '../paths/sites.ts'
import type { Kit } from './path-surroundings.ts'

/** `GET /users/{id}/orders` of which no answer is described, beside `/orders` that refer to users: the orders of the user. */
export function untoldList(kit: Kit, operation: Placed, site: PathSite): Effect | undefined {
  const word = lastStatic(site.steps)
  const answer = schemaOfResponse(operation.draft.success)
  const isUntold = answer === undefined || openList(answer) !== undefined
  if (!isUntold || site.own.size > 1 || site.items.size > 0 || singularOf(word) === word) return undefined
  const owner = kit.surroundings.around(site.steps.slice(0, -1))
  const found = owner?.isRecord ? kit.catalogue.namedBy(`${foldNoun(word)}id`) : undefined
  if (!owner || !found || found === owner.collection) return undefined
  const view = { isView: true, isKeyed: false }
  const scope = kit.addressing.scopeOf(untilParam(site.steps), found, view).at(-1)
  const isTied = scope?.collection === owner.collection.name && scope.field !== undefined
  return isTied ? kit.build.list(operation, found, 'list') : undefined
}
