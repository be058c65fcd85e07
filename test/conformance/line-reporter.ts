import type { Reporter, TestCase, TestModule } from 'vitest/node'

const WORDS = { passed: 'ok     ', failed: 'FAILED ', skipped: 'skipped', pending: 'skipped' } as const

/** Prints one line for each rule, the faults, and how many rules of each section were kept. */
export default class LineReporter implements Reporter {
  readonly #counts = { passed: 0, failed: 0, skipped: 0 }
  readonly #sections = new Map<string, number>()
  readonly #faults: string[] = []

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    const section = test.parent.type === 'suite' ? test.parent.name : ''
    this.#counts[state === 'pending' ? 'skipped' : state]++
    if (state === 'passed') this.#sections.set(section, (this.#sections.get(section) ?? 0) + 1)
    for (const error of errors ?? []) this.#faults.push(`${section} › ${test.name}\n  ${error.message}`)
    process.stdout.write(`${WORDS[state]}  ${[section, test.name].filter(Boolean).join(' › ')}\n`)
  }

  onTestModuleEnd(module: TestModule): void {
    for (const error of module.errors()) this.#faults.push(`${module.relativeModuleId}\n  ${error.message}`)
  }

  onTestRunEnd(): void {
    const sections = [...this.#sections].map(([section, rules]) => `${String(rules).padStart(4)}  ${section}`)
    const { passed, failed, skipped } = this.#counts
    const lines = [...this.#faults.map((fault) => `\n${fault}`), '', 'Rules kept, by section:', ...sections, '']
    process.stdout.write(`${lines.join('\n')}\n${passed} passed, ${failed} failed, ${skipped} skipped\n`)
  }
}
