import { foldName } from '../../../names/words.ts'
import type { ApiModel, CollectionModel } from '../../openapi/model.ts'
import { allNames } from './intake.ts'

/** Names of values that an API takes and never shows. */
const SECRET = /secret|passw|passphrase|private_?key|api_?key|token|credential|otp$/i

/**
 * Fields that creations and changes of records both take, and their schema lacks, such as the `branch_filter` of a hook:
 * records show them once they were sent. What creations alone take is often an argument: `auto_init`, `password`.
 */
export function requestedFields({ operations }: Pick<ApiModel, 'operations'>, model: CollectionModel): string[] {
  const taken = { create: new Set<string>(), update: new Set<string>() }
  const own = new Set([...allNames(model.schema).keys()].map(foldName))
  for (const { effect } of operations) {
    const isChange = effect.kind === 'update' || effect.kind === 'replace'
    if ((effect.kind !== 'create' && !isChange) || effect.collection !== model.name) continue
    for (const [name, { writeOnly, format }] of allNames(effect.body?.schema))
      if (!writeOnly && format !== 'binary' && !SECRET.test(name) && !own.has(foldName(name)))
        taken[isChange ? 'update' : 'create'].add(name)
  }
  return [...taken.create].filter((name) => taken.update.has(name))
}
