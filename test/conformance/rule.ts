import { afterAll, beforeAll, describe, it } from 'vitest'
import { Caller } from './caller.ts'
import type { Capability, Target } from './target.ts'

/** Declares one rule of the specification: its title says it, its test holds the service to it. */
export type Rule = (title: string, test: (caller: Caller) => Promise<void>, ...needs: Capability[]) => void

/** The rules of one section of the specification. */
export interface Section {
  readonly title: string
  readonly declare: (rule: Rule) => void
}

/** Runs sections against a target: one `it` for each rule. Rules that need what the target cannot do are skipped. */
export function holdAgainst(target: Target, sections: readonly Section[]): void {
  let caller: Caller
  beforeAll(async () => {
    caller = new Caller(await target.start())
    await caller.readDescription()
  })
  afterAll(() => caller?.close())
  describe.each(sections)(`${target.name}: $title`, ({ declare }) => {
    declare((title, test, ...needs) => {
      const isPossible = needs.every((need) => target.can.has(need))
      it.skipIf(!isPossible)(title, () => test(caller))
    })
  })
}
