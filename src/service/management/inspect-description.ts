import type { Inspection } from '../../protocol/inspection.ts'
import { checkSpecSize } from '../../protocol/limits.ts'
import type { Account } from '../account/account.ts'
import { explainUnread, inspectModel } from '../openapi/inspect-model.ts'
import type { Blueprint } from '../simulation/blueprint.ts'
import type { ServiceParts } from './handlers.ts'

/** What a description amounts to, read as for a creation and kept for one. Throws as a creation does. */
export async function inspectDescription(parts: ServiceParts, spec: string, account: Account): Promise<Inspection> {
  checkSpecSize(spec)
  const blueprint = await parts.models.ofText(spec, { ...parts, account })
  const unread = await parts.slices.finish(readingUnread(blueprint))
  const inspection = inspectModel(blueprint.model)
  return { ...inspection, warnings: [...inspection.warnings, ...unread] }
}

function* readingUnread({ api, model }: Blueprint): Generator<undefined, string[]> {
  const unread: string[] = []
  for (const operation of model.operations) {
    unread.push(...explainUnread(operation, api.operation(operation).unreadParameters))
    yield
  }
  return unread
}
