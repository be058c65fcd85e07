import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../dist/ui')
const gzipped = (path: string): number => gzipSync(brotliDecompressSync(readFileSync(path))).length

it('has a first page of at most 45 kB, and at most 150 kB in all', () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const first = [...page.matchAll(/(?:src|href)="\/ui\/(assets\/[^"]+)"/g)].map(([, path = '']) =>
    join(folder, `${path}.br`),
  )
  const all = readdirSync(join(folder, 'assets')).map((name) => join(folder, 'assets', name))

  const sum = (paths: Iterable<string>) => [...paths].reduce((bytes, path) => bytes + gzipped(path), 0)

  expect(first.length).toBeGreaterThanOrEqual(3)
  expect(sum(new Set(first))).toBeLessThan(45_000)
  expect(sum(all)).toBeLessThan(150_000)
})
