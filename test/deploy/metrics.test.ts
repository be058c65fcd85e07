import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startOperatedServe } from '../operations/operated.ts'
import { type Part, ROOT, readDeploy, readYaml } from './read-deploy.ts'

it('names in alerts, board, probes and documents what a service shows, and documents all of it', async () => {
  const served = await startOperatedServe([])
  const shown = await (await fetch(`${served.opsUrl}/metrics`)).text()
  const types = new Map([...shown.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name = '', type = '']) => [name, type]))
  const hosting = readFileSync(join(ROOT, 'docs/hosting.md'), 'utf8')
  const [alerts] = readYaml('alerts.yaml') as [Part]
  const board = JSON.parse(readDeploy('grafana.json')) as Part
  const rules = [...(alerts.groups ?? [])].flatMap((group) => [...(group.rules ?? [])])
  const expressions = [
    ...rules.map(({ expr }) => String(expr)),
    ...[...(board.panels ?? [])].flatMap((panel) => [...(panel.targets ?? [])].map(({ expr }) => String(expr))),
  ]

  const named = [...expressions, hosting].flatMap((text) => text.match(/\b(?:backlot|nodejs|process)_[a-z\d_]+/g) ?? [])
  const samples = new Set([...types].flatMap(([name, type]) => samplesOf(name, type)))
  const documented = new Set(hosting.match(/\bbacklot_[a-z_]+/g))

  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !samples.has(name) && !types.has(name) && !name.endsWith('_'))).toEqual([])
  expect([...types.keys()].filter((name) => name.startsWith('backlot_') && !documented.has(name))).toEqual([])
  const probes = [...readDeploy('kubernetes/deployment.yaml').matchAll(/path: (\/\S+z)$/gm)].map(([, path]) => path)
  expect(new Set(probes)).toEqual(new Set(['/healthz', '/readyz']))
  for (const path of probes) expect((await fetch(`${served.opsUrl}${path}`)).status).toBe(200)
})

it('explains in the runbook causes that the service gives', () => {
  const hosting = readFileSync(join(ROOT, 'docs/hosting.md'), 'utf8')
  const source = globSync('src/service/**/*.ts', { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'))

  const causes = [...hosting.matchAll(/why="([^"]+)"/g)].map(([, cause = '']) => cause)
  expect(causes.length).toBeGreaterThan(5)
  expect(causes.filter((cause) => !source.some((text) => text.includes(`'${cause}'`)))).toEqual([])
})

it('has alerts and panels that are whole', () => {
  const [alerts] = readYaml('alerts.yaml') as [Part]
  const rules = [...(alerts.groups ?? [])].flatMap((group) => [...(group.rules ?? [])])
  const panels = [...((JSON.parse(readDeploy('grafana.json')) as Part).panels ?? [])]
  const expressions = [...rules, ...panels.flatMap((panel) => [...(panel.targets ?? [])])].map(({ expr }) =>
    String(expr),
  )

  for (const { alert, annotations, labels } of rules) {
    expect(String(alert)).toMatch(/^Backlot[A-Z]/)
    expect(annotations?.summary).toBeTruthy()
    expect(annotations?.description).toBeTruthy()
    expect(['critical', 'warning', 'info']).toContain(labels?.severity)
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  expect(expressions.filter((expression) => !isBalanced(expression))).toEqual([])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(panels.filter((panel) => panels.some((other) => other !== panel && overlap(panel, other)))).toEqual([])
  const [prometheus] = readYaml('prometheus.yaml') as [Part]
  expect(prometheus.rule_files).toEqual(['alerts.yaml'])
  const compose = Object.keys(readYaml('compose.yaml')[0]?.services ?? {})
  const targets = [...(prometheus.scrape_configs?.[0]?.static_configs?.[0]?.targets ?? [])].map(String)
  expect(targets.map((target) => target.split(':')[0]).filter((name) => !compose.includes(name ?? ''))).toEqual([])
  expect(readDeploy('alerts.yaml')).toContain(`job="${prometheus.scrape_configs?.[0]?.job_name}"`)
})

/** What PromQL may ask of a metric. */
const samplesOf = (name: string, type: string): string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]

/** Whether each bracket is closed by its like. */
function isBalanced(expression: string): boolean {
  const open: string[] = []
  const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }
  for (const character of expression.replaceAll(/"[^"]*"/g, '')) {
    if ('([{'.includes(character)) open.push(character)
    else if (character in pairs && open.pop() !== pairs[character]) return false
  }
  return open.length === 0
}

/** Whether two panels lie on one another. */
function overlap(left: Part, right: Part): boolean {
  const isApart = (start: string, length: string) => {
    const [a, b] = [left, right].map(({ gridPos }) => Number(gridPos?.[start])) as [number, number]
    const [aLength, bLength] = [left, right].map(({ gridPos }) => Number(gridPos?.[length])) as [number, number]
    return a + aLength <= b || b + bLength <= a
  }
  return !isApart('x', 'w') && !isApart('y', 'h')
}
