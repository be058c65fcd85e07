import type { Place } from '../fixture/run/run-name.ts'

/** The part of Vitest's suite that tells where it is. */
export interface SuiteLike {
  name: string
  file?: { name: string }
  suite?: SuiteLike | undefined
}

/** Where in the tests a suite, or a test, is. */
export function placeOf(suite: SuiteLike): Required<Place> {
  const describes: string[] = []
  const file = suite.file?.name
  for (let at: SuiteLike | undefined = suite; at && at.name !== file; at = at.suite) describes.unshift(at.name)
  return { file, describes: describes.filter((name) => name !== '') }
}
