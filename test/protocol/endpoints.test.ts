import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fillPath, scopeOf } from '../../src/protocol/endpoint.ts'
import { listEndpoints, listExtensions } from '../../src/protocol/extensions.ts'

const endpoints = listEndpoints({ workerSinks: true }).map(([, endpoint]) => endpoint)

it('fills a path with encoded parameters', () => {
  const path = fillPath('/v1/simulations/{id}/rules/{ruleId}', { id: 'a b', ruleId: 'x/y' })

  expect(path).toBe('/v1/simulations/a%20b/rules/x%2Fy')
})

it('has no method and path twice', () => {
  const places = endpoints.map(({ method, path }) => `${method} ${path}`)

  expect(new Set(places).size).toBe(places.length)
})

it('lists an extension once, however many endpoints belong to it, and sinks only where they are', () => {
  const listed = listExtensions({ workerSinks: true })

  expect(new Set(listed).size).toBe(listed.length)
  expect(listed).toEqual([...listExtensions({ workerSinks: false }), 'worker-sinks'])
  expect(listed).not.toContain('meta')
})

it('is the table of endpoints in docs/endpoints.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/endpoints.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `((?:GET|POST|PUT|PATCH|DELETE) \/v1\/.*)\|$/gm)].map(([, row = '']) =>
    `\`${row}`.split('|').map((cell) => cell.trim()),
  )

  expect(rows).toEqual(
    endpoints.map((endpoint) => [
      `\`${endpoint.method} ${endpoint.path}\``,
      scopeOf(endpoint).replace('simulations:', ''),
      endpoint.extension === undefined ? '' : `\`${endpoint.extension}\``,
      endpoint.summary,
    ]),
  )
})
