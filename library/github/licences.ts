import type { OperationContext } from '../../src/handlers.ts'
import { type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { type Handler, isThere, paged } from './answers.ts'

const ANY = 'commercial-use modifications distribution private-use'
const PATENT = 'commercial-use modifications distribution patent-use private-use'
const SHARING = 'include-copyright document-changes disclose-source'
const NONE = 'liability warranty'

/** Key, id, name, and what each permits, asks and excludes. https://docs.github.com/rest/licenses/licenses */
const LICENCES = [
  ['mit', 'MIT', 'MIT License', ANY, 'include-copyright', NONE],
  [
    'apache-2.0',
    'Apache-2.0',
    'Apache License 2.0',
    PATENT,
    'include-copyright document-changes',
    `trademark-use ${NONE}`,
  ],
  ['gpl-3.0', 'GPL-3.0', 'GNU General Public License v3.0', PATENT, `${SHARING} same-license`, NONE],
  [
    'agpl-3.0',
    'AGPL-3.0',
    'GNU Affero General Public License v3.0',
    PATENT,
    `${SHARING} network-use-disclose same-license`,
    NONE,
  ],
  [
    'mpl-2.0',
    'MPL-2.0',
    'Mozilla Public License 2.0',
    PATENT,
    'disclose-source include-copyright same-license--file',
    `liability trademark-use warranty`,
  ],
  ['bsd-2-clause', 'BSD-2-Clause', 'BSD 2-Clause "Simplified" License', ANY, 'include-copyright', NONE],
  ['bsd-3-clause', 'BSD-3-Clause', 'BSD 3-Clause "New" or "Revised" License', ANY, 'include-copyright', NONE],
  ['unlicense', 'Unlicense', 'The Unlicense', ANY, '', NONE],
] as const
const FEATURED = ['mit', 'apache-2.0', 'gpl-3.0']

const shown = ([key, spdx_id, name]: readonly string[]): JsonObject => ({
  ...{ key: key ?? '', spdx_id: spdx_id ?? '', name: name ?? '', url: `https://api.github.example/licenses/${key}` },
  node_id: Buffer.from(`license_${key}`).toString('base64'),
})
const rowOf = (key: Json) => LICENCES.find(([one]) => one === valueText(key ?? '').toLowerCase())
export const licenceText = (key: Json): string | null => {
  const row = rowOf(key)
  return row ? `${row[2]}\n\nThe text is at https://spdx.org/licenses/${row[1]}.html\n` : null
}
export const licenceOf = (key: Json): JsonObject | null => {
  const row = rowOf(key)
  return row ? shown(row) : null
}

const listed: Handler = (context) => {
  const { featured } = context.query as { featured?: unknown }
  const rows = LICENCES.filter(
    ([key]) => featured === undefined || FEATURED.includes(key) === (String(featured) === 'true'),
  )
  return paged(context, '/licenses', rows.map(shown))
}

const one: Handler = (context) => {
  const key = valueText(context.path.license)
  const row = rowOf(key)
  if (row === undefined) return isThere(context, false)
  const [permissions, conditions, limitations] = row.slice(3).map((words) => words.match(/\S+/g) ?? [])
  return {
    ...{ ...shown(row), html_url: `http://choosealicense.example/licenses/${row[0]}/`, description: row[2] },
    ...{ implementation: 'Put the text in a file LICENSE or LICENSE.txt at the root of the repository.' },
    ...{ permissions, conditions, limitations, body: licenceText(key), featured: FEATURED.includes(row[0]) },
  }
}

const TEMPLATES: Readonly<Record<string, string>> = {
  Go: '*.exe\n*.test\nvendor/\n',
  Java: '*.class\n*.jar\n',
  Node: 'node_modules/\n*.log\n.env\ndist/\n',
  Python: '__pycache__/\n*.py[cod]\n.venv/\n',
  Rust: 'target/\n',
}
export const ignored = (name: Json): string | null => TEMPLATES[valueText(name ?? '')] ?? null

const CODES = [
  ['citizen_code_of_conduct', 'Citizen Code of Conduct', 'https://citizencodeofconduct.example/'],
  ['contributor_covenant', 'Contributor Covenant', 'https://contributor-covenant.example/version/2/0/code_of_conduct/'],
].map(([key = '', name = '', html_url = '']): JsonObject => {
  return { key, name, url: `https://api.github.example/codes_of_conduct/${key}`, html_url }
})

export const texts: Record<string, Handler> = {
  'GET /licenses': listed,
  'GET /licenses/{license}': one,
  'GET /gitignore/templates': () => Object.keys(TEMPLATES),
  'GET /gitignore/templates/{name}': (context: OperationContext) => {
    const name = valueText(context.path.name)
    const source = ignored(name)
    return source === null ? isThere(context, false) : { name, source }
  },
  'GET /codes_of_conduct': () => CODES,
  'GET /codes_of_conduct/{key}': (context: OperationContext) => {
    const code = CODES.find(({ key }) => key === context.path.key)
    return code ? { ...code, body: `# ${code.name}\n\nThe text is at ${code.html_url}\n` } : isThere(context, false)
  },
}
