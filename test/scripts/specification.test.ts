import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SECTIONS } from '../conformance/sections.ts'

interface Row {
  rule: string
  code: string[]
  tests: { file: string; title: string }[]
}

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/specification.md'), 'utf8')
const rows = tablesOf(text)

it('has a table of rules in every section', () => {
  expect(rows.length).toBeGreaterThan(80)
  expect(rows.filter(({ code, tests }) => code.length === 0 || tests.length === 0)).toEqual([])
})

it('names files of the source that exist', () => {
  const missing = rows.flatMap(({ rule, code }) =>
    code.filter((file) => !existsSync(join(root, 'src', file))).map((file) => `${rule} ${file}`),
  )

  expect(missing).toEqual([])
})

it('names tests that exist', () => {
  const missing = rows.flatMap(({ rule, tests }) =>
    tests.filter((test) => !isThere(test)).map((test) => ({ rule, ...test })),
  )

  expect(missing).toEqual([])
})

it('has a line for every rule of the conformance suite', () => {
  const titles: string[] = []
  for (const { declare } of SECTIONS) declare((title) => titles.push(title))
  const named = new Set(rows.flatMap(({ tests }) => tests.map(({ title }) => title)))

  expect(titles.length).toBeGreaterThan(100)
  expect(titles.filter((title) => !named.has(title))).toEqual([])
})

/** The rows of the tables whose head is rule, code, test. */
function tablesOf(page: string): Row[] {
  const tables = page.split(/\n\n+/).filter((block) => /^\| rule +\| code +\| test +\|/.test(block))
  return tables.flatMap((table) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => {
        const [rule = '', code = '', tests = ''] = line
          .split(' | ')
          .map((cell) => cell.replace(/^\| | *\|?$/g, '').trim())
        return { rule, code: spansIn(code), tests: spansIn(tests).map(toTest) }
      }),
  )
}

function spansIn(cell: string): string[] {
  return cell.split('<br>').map((span) => span.replace(/^`|`$/g, ''))
}

/** `file › title`: a file of the conformance suite by its name, another by its path below `test/`. */
function toTest(span: string): { file: string; title: string } {
  const [file = '', title = ''] = span.split(' › ')
  return { file: file.endsWith('.ts') ? `test/${file}` : `test/conformance/rules/${file}.ts`, title }
}

function isThere({ file, title }: { file: string; title: string }): boolean {
  const path = join(root, file)
  return (
    existsSync(path) && [title, title.replaceAll("'", "\\'")].some((each) => readFileSync(path, 'utf8').includes(each))
  )
}
