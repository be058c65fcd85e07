import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { findSource } from '../../src/cli/read-document.ts'
import { createSimulation } from '../../src/index.ts'
import { startService } from '../../src/service.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

/** What stands where a file should: by the words of the message. */
const KINDS: readonly [kind: string, make: (path: string) => string | Promise<string>][] = [
  ['it is a folder.', makeFolder],
  ['it is a pipe.', makePipe],
  ['it is a device.', () => '/dev/zero'],
  ['ENXIO', listenAt],
  ['it has 10,000,000,000 bytes. At most 100,000,000 are read', makeHuge],
]

it.runIf(process.platform === 'linux').each(KINDS)('reads no description where %s', async (fact, make) => {
  const path = await make(join(folder, 'openapi.yaml'))

  await expect(createSimulation({ spec: path })).rejects.toThrow(`Failed to read the description "${path}": ${fact}`)
  const asSource = make === makeFolder ? `"${path}": it has no openapi.json or openapi.yaml.` : `"${path}": ${fact}`
  await expect(findSource(path)).rejects.toThrow(asSource)
})

it.runIf(process.platform === 'linux').each(KINDS.filter(([, make]) => make.length > 0))(
  'starts with no library entry where %s',
  async (fact, make) => {
    const path = await make(join(folder, 'openapi.yaml'))

    await expect(startService({ library: [folder] })).rejects.toThrow(`Failed to read "${path}": ${fact}`)
  },
)

it.each([
  ['little', (text: string) => Buffer.from(text, 'utf16le')],
  ['big', (text: string) => Buffer.from(text, 'utf16le').swap16()],
])('reads a description in UTF-16 of %s endianness, as PowerShell writes it', async (_, encode) => {
  const path = join(folder, 'openapi.json')
  writeFileSync(path, encode('\ufeff{"openapi":"3.1.0","info":{"title":"Café","version":"1"},"paths":{}}'))

  const { text } = (await findSource(path)) as { text: string }

  expect(text.replace('\ufeff', '')).toContain('"title":"Café"')
})

function makeFolder(path: string): string {
  mkdirSync(path)
  return path
}

function makePipe(path: string): string {
  execFileSync('mkfifo', [path])
  return path
}

async function listenAt(path: string): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => void server.close())
  return path
}

function makeHuge(path: string): string {
  writeFileSync(path, '')
  truncateSync(path, 10_000_000_000)
  return path
}
