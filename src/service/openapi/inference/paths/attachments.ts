import type { OperationDraft } from '../../operation-draft.ts'
import { keyOfSteps, type PathShape, type Step, shapeOfSteps } from './path-shape.ts'

/** An operation with the shape of its path. */
interface Shaped {
  readonly draft: OperationDraft
  readonly written?: OperationDraft
  readonly shape: PathShape
}

const ATTACHES = /^(attach|assign|link|associate|connect)$/i
const DETACHES = /^(detach|unassign|unlink|disassociate|disconnect)$/i

/**
 * `PATCH /agents/{id}/tools/attach/{tool_id}` and `.../detach/{tool_id}` beside the list `/agents/{id}/tools`, in the shape
 * of `PUT` and `DELETE /agents/{id}/tools/{tool_id}`, where nothing else is there. `DELETE .../attach/{tool_id}` detaches.
 */
export function withAttachments<Operation extends Shaped>(placed: readonly Operation[]): readonly Operation[] {
  const found = placed.map((operation) => ({ operation, change: changeOf(operation) }))
  if (!found.some(({ change }) => change)) return placed
  const taken = new Set(placed.map(({ draft, shape }) => `${draft.method} ${keyOfSteps(shape.steps)}`))
  return found.map(({ operation, change }) => {
    if (change === undefined) return operation
    const { method, steps } = change
    const isListed = taken.has(`GET ${keyOfSteps(steps.slice(0, -1))}`)
    const route = `${method} ${keyOfSteps(steps)}`
    if (!isListed || taken.has(route)) return operation
    taken.add(route)
    const draft: OperationDraft = { ...operation.draft, method }
    return { ...operation, draft, written: operation.draft, shape: shapeOfSteps(steps) }
  })
}

function changeOf({ draft, shape }: Shaped): { method: 'PUT' | 'DELETE'; steps: readonly Step[] } | undefined {
  const [noun, verb, key, ...more] = shape.steps.slice(-3)
  const isWrite = /^(POST|PUT|PATCH|DELETE)$/.test(draft.method) && shape.verb === undefined && more.length === 0
  if (!isWrite || noun?.kind !== 'static' || verb?.kind !== 'static' || key?.kind !== 'param') return undefined
  if (shape.steps.length < 5) return undefined
  const isUndone = DETACHES.test(verb.text) || (draft.method === 'DELETE' && ATTACHES.test(verb.text))
  if (!isUndone && !ATTACHES.test(verb.text)) return undefined
  return { method: isUndone ? 'DELETE' : 'PUT', steps: [...shape.steps.slice(0, -2), key] }
}
