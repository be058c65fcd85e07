import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readServeConfig } from '../../src/cli/serve-options.ts'

it('refuses a misspelt key, which would leave the service open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-config-'))
  const file = join(folder, 'backlot.json')
  await writeFile(file, '{"acounts":[]}')

  const config = readServeConfig(file)

  await expect(config).rejects.toThrow(
    `Failed to read the configuration "${file}": it has no key "acounts". Did you mean "accounts"?`,
  )
  await rm(folder, { recursive: true })
})
