import { snakeCase } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ApiModel, ScopeParam } from '../../openapi/model.ts'
import { allNames } from './intake.ts'

/** A read-only list of past events: `/audit-logs`, `/orders/{id}/history`. */
export interface AuditLog {
  readonly collection: string
  readonly scope: readonly ScopeParam[]
}

const READS = /^(list|search|read)$/
/** Words for lists of past events, and words that mean such a list only if entries have an action and a time. */
const ALWAYS = /^audits?$|^(audit|activity|event|system)_?(logs?|trails?|histor(y|ies)|events?|entries|feeds?)$/
const OFTEN = /(^|_)(events?|histor(y|ies)|activit(y|ies)|logs?|changes|timelines?)$/
/** Fields for the action of an entry. */
export const DEED = /^((action|activity|event|operation|change|log|audit)(_(type|name|kind|action|code))?|type|verb)$/
const MOMENT = /date|time|created|(^|_)(at|on|when)$/
/** Concerts and meetings are events, too. */
const PLANNED = /^(start|end|begin|venue|location)/

/** The audit logs of an API; of one with several paths the most specific first. */
export function auditLogsOf({ operations, collections }: ApiModel): readonly AuditLog[] {
  const written = new Set(
    operations.flatMap(({ effect }) =>
      'collection' in effect && !READS.test(effect.kind)
        ? ['makes' in effect ? effect.makes?.collection : undefined, effect.collection]
        : [],
    ),
  )
  const schemas = new Map(collections.map(({ name, schema }) => [name, schema]))
  const found = operations.flatMap(({ method, path, effect }): AuditLog[] => {
    if (effect.kind !== 'list' || method !== 'GET' || written.has(effect.collection)) return []
    const noun = snakeCase(path.replace(/(\.json)?\/?$/, '').replace(/.*\//, ''))
    const isAuditLog = ALWAYS.test(noun) || (OFTEN.test(noun) && isOfDeeds(schemas.get(effect.collection)))
    return isAuditLog ? [{ collection: effect.collection, scope: effect.scope }] : []
  })
  return found.toSorted((left, right) => right.scope.length - left.scope.length)
}

/** Whether entries have an action and a time. */
function isOfDeeds(schema: Schema | undefined): boolean {
  const names = [...allNames(schema).keys()].map(snakeCase)
  const has = (one: RegExp) => names.some((name) => one.test(name))
  return has(DEED) && has(MOMENT) && !has(PLANNED)
}
