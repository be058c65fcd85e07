import type { ResponseRule } from '../../protocol/response-rule.ts'
import type { ApiModel, Operation } from '../openapi/model.ts'
import { nearestOperations } from '../simulated-api/routing/router.ts'

/** Why a rule will never meet a request that the API answers, with the operations that look most like it; undefined when one can. */
export function explainReach({ method, pathPattern }: ResponseRule, model: ApiModel): string | undefined {
  const { operations, basePaths } = model
  const patterns = withoutBases(pathPattern, basePaths)
  const isReached = operations.some(
    (operation) => serves(operation, method) && patterns.some((pattern) => canMatch(pattern, operation)),
  )
  if (isReached || operations.length === 0) return undefined
  const nearest = nearestOperations(model, method, (patterns.at(-1) ?? '').replace('*', ''))
  return `No operation of this API matches ${method} ${pathPattern}. Nearest are ${nearest.join(', ')}.`
}

/** The pattern as written, and what is left of it behind a base path. One that ends within a base path leaves `*`. */
function withoutBases(pathPattern: string, basePaths: readonly string[]): string[] {
  const text = pathPattern.replace(/\*$/, '')
  const inner = basePaths
    .filter((base) => base !== '')
    .flatMap((base) => {
      if (text.startsWith(base)) return [pathPattern.slice(base.length)]
      return text !== pathPattern && base.startsWith(text) ? ['*'] : []
    })
  return [pathPattern, ...inner]
}

/** HEAD is answered as GET is, and OPTIONS everywhere. */
function serves(operation: Operation, method: string): boolean {
  return method === '*' || method === 'OPTIONS' || operation.method === (method === 'HEAD' ? 'GET' : method)
}

/** Whether some path of the operation fits the pattern: a parameter stands for any text. */
function canMatch(pattern: string, { segments }: Operation): boolean {
  const isPrefix = pattern.endsWith('*')
  const parts = (isPrefix ? pattern.slice(0, -1) : pattern).split('/').slice(1)
  const last = isPrefix ? parts.pop() : undefined
  const isLong = isPrefix ? segments.length > parts.length : segments.length === parts.length
  if (!isLong && !(isPrefix && last === undefined)) return false
  const fits = (at: number, test: (text: string) => boolean) => {
    const segment = segments[at]
    return segment?.kind === 'static' ? test(segment.text) : segment !== undefined
  }
  if (!parts.every((part, at) => fits(at, (text) => text === part))) return false
  return last === undefined || last === '' || fits(parts.length, (text) => text.startsWith(last))
}
