import { editDistance } from '../../../names/nearest-name.ts'
import type { ApiModel, Operation } from '../../openapi/model.ts'

/** The operations whose paths look most like `path`, nearest first: for the message of a 404. */
export function nearestOperations(model: ApiModel, method: string, path: string, count = 3): string[] {
  const wanted = path.split('/').filter((part) => part !== '')
  return model.operations
    .map((operation) => ({ operation, distance: distanceTo(operation, method, wanted) }))
    .sort((left, right) => left.distance - right.distance)
    .slice(0, count)
    .map(({ operation }) => `${operation.method} ${operation.path}`)
}

function distanceTo(operation: Operation, method: string, wanted: readonly string[]): number {
  let distance = Math.abs(operation.segments.length - wanted.length) + (operation.method === method ? 0 : 0.5)
  for (const [at, segment] of operation.segments.entries()) {
    const part = wanted[at]
    if (part === undefined) break
    if (segment.kind === 'static') distance += 2 * unlikeness(segment.text, part)
    else distance += 0.25
  }
  return distance
}

/** 0 for equal texts, 1 for texts that have no letter in common. Of long texts the start is compared. */
function unlikeness(left: string, right: string): number {
  if (left === right) return 0
  const [one, other] = [left, right].map((text) => text.slice(0, COMPARED).toLowerCase()) as [string, string]
  return editDistance(one, other) / Math.max(1, one.length, other.length)
}

const COMPARED = 40
