import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const script = join(import.meta.dirname, '../../scripts/release-check.ts')

const READY = {
  license: 'MIT',
  repository: { type: 'git', url: 'git+https://git.example.com/backlot.git' },
  homepage: 'https://backlot.example.com',
  bugs: 'https://git.example.com/backlot/issues',
  publishConfig: { access: 'public', provenance: true },
}

async function check(manifest: object) {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-release-'))
  const file = join(folder, 'package.json')
  await writeFile(file, JSON.stringify(manifest))
  const { status, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' })
  await rm(folder, { recursive: true })
  return { status, faults: stderr.split('\n').filter((line) => line.startsWith('package.json: ')) }
}

it('lets a package go that has a public address', async () => {
  expect(await check(READY)).toEqual({ status: 0, faults: [] })
})

it('stops a package without a public address, and names what is missing', async () => {
  const { repository: _, homepage: __, bugs: ___, ...manifest } = READY

  const { status, faults } = await check(manifest)

  expect(status).toBe(1)
  expect(faults).toEqual([
    'package.json: Expected `repository` to be the public address: npm compares it with where the package was built.',
    'package.json: Expected `homepage` to be there.',
    'package.json: Expected `bugs` to be there.',
  ])
})

it('stops a package that would be published without provenance', async () => {
  const { status, faults } = await check({ ...READY, publishConfig: { access: 'public' } })

  expect(status).toBe(1)
  expect(faults).toEqual(['package.json: Expected `publishConfig.provenance` to be true.'])
})
