import { existsSync, readFileSync } from 'node:fs'

/** One row of the agreed bad inputs. */
export interface BadInput<Input> {
  id: string
  where: 'register' | 'connect' | 'sink'
  input: Input
  expect: string
  why: string
}

const FILE = new URL('../../../shared/data/webhook-bad-inputs.json', import.meta.url)

/** The reason that skipped tests state where the shared data is absent. */
export const ABSENT = '../shared/data/webhook-bad-inputs.json is not here'

/** Whether the shared data lies beside this repository. */
export const hasBadInputs = existsSync(FILE)

/** The rows for one entry point; none where the shared data is absent. */
export function readBadInputs<Input>(where: BadInput<Input>['where']): BadInput<Input>[] {
  if (!hasBadInputs) return []
  const rows = JSON.parse(readFileSync(FILE, 'utf8')) as BadInput<Input>[]
  return rows.filter((row) => row.where === where)
}
