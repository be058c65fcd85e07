import type { ActionSetting } from '../../action-setting.ts'
import type { Effect } from '../../model.ts'
import { isRelationship, partsOf, relationshipField } from '../paths/relationship-paths.ts'
import type { Placed } from '../paths/sites.ts'
import type { Kit } from './path-surroundings.ts'

/** What an operation on a relationship does to the record that has it. */
export function relationshipEffect(kit: Kit, operation: Placed): Effect | undefined {
  const { steps } = operation.shape
  const { sites } = kit.catalogue
  const parts = partsOf(steps)
  if (parts === undefined || !isRelationship(sites, steps)) return undefined
  const owner = kit.surroundings.around(parts.owner)
  const target = kit.catalogue.shownAt([...parts.owner, parts.last])
  const field = relationshipField(sites, parts.owner, steps.slice(-2))
  const to = TO.get(operation.draft.method)
  if (!owner?.isRecord || !target) return undefined
  if (to === undefined) return kit.build.list(operation, target, 'list')
  return field && kit.build.member(operation, owner, { field, to })
}

const TO: ReadonlyMap<string, ActionSetting['to']> = new Map([
  ['POST', 'added'],
  ['PUT', 'argument'],
  ['PATCH', 'argument'],
  ['DELETE', 'removed'],
])
