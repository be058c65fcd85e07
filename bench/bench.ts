import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { toTable } from '../src/fixture/table.ts'
import type { BenchRow } from './bench-row.ts'

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
  allowPositionals: true,
})

const groups = readdirSync(new URL('groups/', import.meta.url)).map((file) => file.replace(/\.ts$/, ''))
const unknown = positionals.find((name) => !groups.includes(name))
if (unknown !== undefined) {
  console.error(`Expected a group to be one of ${groups.join(', ')}, got "${unknown}".`)
  process.exit(2)
}

const rows: BenchRow[] = []
for (const name of positionals.length > 0 ? positionals : groups) {
  if (!values.json) console.error(`measuring ${name} ...`)
  const group = (await import(new URL(`groups/${name}.ts`, import.meta.url).href)) as { run: () => Promise<BenchRow[]> }
  rows.push(...(await group.run()))
}

if (values.json) console.log(JSON.stringify({ rows }))
else printTable(rows)
if (values.check && rows.some(({ isFarOff }) => isFarOff)) process.exitCode = 1

function printTable(measured: readonly BenchRow[]): void {
  const lines = measured.map(({ name, value, unit, floor, ratio, target, ok }) => [
    name,
    `${figure(value)} ${unit}`,
    floor === null ? '' : `${figure(floor)} ${unit}`,
    ratio === null ? '' : ratio.toFixed(2),
    target,
    target === '' ? '' : ok ? 'met' : 'MISSED',
  ])
  const table = [['name', 'value', 'floor', 'ratio', 'target', ''], ...lines]
  for (const line of toTable(table)) console.log(line)
}

function figure(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
