import { misspeltFor } from '../../../names/nearest-name.ts'
import type { ApiCall } from './call.ts'

/** Most undeclared parameters that are compared with the declared ones, and their longest name. */
const MOST_COMPARED = 5
const LONGEST_COMPARED = 60

/** Warns of parameters of the query that look as if they worked: filters without effect, and misspelt names. */
export function warnOfIgnored({ compiled, query }: ApiCall, warnings: string[]): void {
  const { unreadParameters, queryReader, operation } = compiled
  const unread = unreadParameters.filter((name) => query.pairs.some(([given]) => given === name))
  const misspelt = queryReader
    .undeclaredIn(query)
    .slice(0, MOST_COMPARED)
    .flatMap((name) => {
      const meant = name.length > LONGEST_COMPARED ? undefined : misspeltFor(name, queryReader.names)
      return meant === undefined
        ? []
        : [`Ignored ${name}: ${operation.method} ${operation.path} has no such parameter. Did you mean ${meant}?`]
    })
  if (unread.length > 0) warnings.push(`Not filtered by ${unread.join(', ')}: the records have no field that fits.`)
  warnings.push(...misspelt)
}
