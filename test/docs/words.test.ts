import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PAGES } from '../../docs/.vitepress/pages.ts'
import { readPage } from './read-page.ts'

const api = readFileSync(join(import.meta.dirname, '../../api/backlot.api.md'), 'utf8')

/** Of whom all public members are named. */
const CLASSES = ['Simulation', 'SimulationWebhooks', 'WebhookSink', 'SinkPath', 'Inbox', 'ManagementClient', 'Service']
/** Types that a caller fills in, by their names. */
const FILLED_IN = /(Options|Expectation|Match|Range|Scope|Page|Reply|Address)$|^New[A-Z]|^SinkReply$|^NewWebhookFault$/
/** Those that are computed from a schema. */
const FILLED_IN_ALIASES = ['AccountOptions', 'AccountKeyOptions', 'BehaviourStep']
/** Types whose names end so and that no caller fills in. */
const READ_ONLY = ['RecordsPage', 'SinkAddress']

/** Words in code, of the pages for users. */
const words = new Set(
  PAGES.filter((page) => /^(docs|examples)\/|^README/.test(page) && !/specification|architecture/.test(page))
    .flatMap((page) => {
      const { text, prose } = readPage(page)
      const blocks = [...text.matchAll(/^( *)```[\s\S]*?^\1```/gm)].map(([block]) => block)
      return [...blocks, ...[...prose.matchAll(/`[^`\n]+`/g)].map(([code]) => code)]
    })
    .flatMap((code) => code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
)

it('names every function and class that an entry point exports', () => {
  const exported = [...api.matchAll(/^declare namespace (?!faults)\w+ \{\n {4}export \{\n([\s\S]*?)\n {4}\}/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().replace(/^.* as /, ''))
  const callable = [...api.matchAll(/^(?:declare )?(?:async )?(?:function|class) (\w+?)(?:_\d+)?\b/gm)].map(
    ([, name]) => name,
  )

  const missing = new Set(exported.filter((name) => callable.includes(name) && !words.has(name)))

  expect([...missing]).toEqual([])
})

it.each(CLASSES)('names every property and method of %s', (name) => {
  const members = membersOf(name)

  expect(members.length).toBeGreaterThan(3)
  expect(members.filter((member) => !words.has(member))).toEqual([])
})

it('names every option', () => {
  const types = [...api.matchAll(/^interface (\w+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => FILLED_IN.test(name) && !READ_ONLY.includes(name))

  const missing = types.flatMap((name) =>
    membersOf(name)
      .filter((member) => !words.has(member))
      .map((member) => `${name}.${member}`),
  )

  expect(types.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

it.each(FILLED_IN_ALIASES)('names every field of %s', (name) => {
  const fields = [...aliasOf(name).matchAll(/^ +(\w+)\??: /gm)].map(([, field = '']) => field)

  expect(fields.length).toBeGreaterThan(3)
  expect([...new Set(fields)].filter((field) => !words.has(field))).toEqual([])
})

it('names every kind of response rule, step and webhook fault', () => {
  const [, rules = ''] = /^const kinds: readonly \[(.*)\];/m.exec(api) ?? []
  const [, faults = ''] = /^type WebhookFaultKind = (.*);/m.exec(api) ?? []
  const literals = [...aliasOf('BehaviourStep').matchAll(/^ +kind: '(\w+)';/gm)].map(([, kind = '']) => kind)
  const kinds = [...literals, ...`${rules} ${faults}`.matchAll(/["'](\w+)["']/g)].map((kind) =>
    typeof kind === 'string' ? kind : `${kind[1]}`,
  )

  expect(kinds.length).toBeGreaterThan(20)
  expect(kinds.filter((kind) => !words.has(kind))).toEqual([])
})

/** A type that is no interface, as the report declares it. */
function aliasOf(name: string): string {
  return new RegExp(`^type ${name} = ([\\s\\S]*?);\\n\\n`, 'm').exec(api)?.[1] ?? ''
}

/** Names of the public members of a class or interface, as the report declares it. */
function membersOf(name: string): string[] {
  const [, body = ''] =
    new RegExp(`^(?:abstract )?(?:class|interface) ${name}\\b.*\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(api) ?? []
  const members = [...body.matchAll(/^ {4}(?:readonly |static |get |async )*(\w+)\??[:(<]/gm)].map(
    ([, member = '']) => member,
  )
  return [...new Set(members)].filter((member) => member !== 'constructor')
}
