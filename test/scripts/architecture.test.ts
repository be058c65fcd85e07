import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, it } from 'vitest'

const src = join(import.meta.dirname, '../../src')
const text = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) => `/${file.replaceAll(sep, '/')}`)

it('names files that exist', () => {
  const named = [...text.matchAll(/`((?:[\w-]+\/)*[\w-]+\.ts)`/g)].map(([, name]) => name)

  expect(named.length).toBeGreaterThan(5)
  expect(
    named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)) && !name?.startsWith('test/')),
  ).toEqual([])
})

it('has a row for every folder', () => {
  const foldersIn = (folder: string) =>
    readdirSync(join(src, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${folder}${name}`)
  const isDescribed = (name: string) => text.includes(`\`${name}/\``) || existsSync(join(src, `${name}.ts`))

  expect(
    [...foldersIn(''), ...foldersIn('service/')].filter((name) => name !== 'service' && !isDescribed(name)),
  ).toEqual([])
})
