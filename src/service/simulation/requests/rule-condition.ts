import { misspeltFor } from '../../../names/nearest-name.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import type { RuleCondition } from '../../../protocol/response-rule.ts'
import type { Operation } from '../../openapi/model.ts'
import { allNames } from '../../simulated-api/facts/intake.ts'

/**
 * Says which name of a rule's `when` none of the operations declares, where it is much like one that they do. Any other name
 * may be sent, so it stands.
 */
export function explainCondition(
  { query = {}, body }: RuleCondition,
  operations: readonly Operation[],
): string | undefined {
  const parameters = operations.flatMap((operation) => operation.parameters.filter((one) => one.in === 'query'))
  const bodies = operations.flatMap(({ requestBody }) => [...(requestBody?.content.values() ?? [])])
  return (
    misspelt('query', Object.keys(query), () => parameters.map(({ name }) => name)) ??
    misspelt('body', isJsonObject(body) ? Object.keys(body) : [], () =>
      bodies.flatMap((schema) => [...allNames(schema).keys()]),
    )
  )
}

function misspelt(part: 'query' | 'body', names: readonly string[], declared: () => string[]): string | undefined {
  if (names.length === 0) return undefined
  const known = [...new Set(declared().map(withoutBrackets))]
  for (const name of names.map(withoutBrackets)) {
    const meant = misspeltFor(name, known)
    if (meant !== undefined)
      return `No operation that it meets has "${name}" in its ${part}, which \`when\` names. Did you mean "${meant}"?`
  }
  return undefined
}

/** `expand[]` and `card[number]` by their first name. */
const withoutBrackets = (name: string): string => name.replace(/\[.*/s, '')
