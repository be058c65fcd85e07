/**
 * `npm run api` writes the public types of all entry points to `api/backlot.api.md`. With `--check` it compares instead and fails on a
 * difference, so that a review shows each change of the public types. It reads the declarations in `dist/`, without those of library entries.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** The part of `@microsoft/api-extractor` that is used here. */
interface ApiExtractor {
  readonly ExtractorConfig: { prepare(options: object): object }
  readonly Extractor: { invoke(config: object, options: object): { apiReportChanged: boolean; succeeded: boolean } }
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const { Extractor, ExtractorConfig } = createRequire(import.meta.url)('@microsoft/api-extractor') as ApiExtractor
const root = join(import.meta.dirname, '..')
const folder = join(root, 'api')
const cache = join(root, '.backlot/api')
const entry = join(cache, 'dist/entry-points.d.ts')

mkdirSync(folder, { recursive: true })
rmSync(cache, { recursive: true, force: true })
cpSync(join(root, 'dist'), join(cache, 'dist'), {
  recursive: true,
  filter: (path) => !/\.\w+$/.test(path) || path.endsWith('.d.ts'),
})
writeFileSync(join(cache, 'dist/library/library-apis.d.ts'), 'export interface LibraryApis {}\n')
writeFileSync(entry, entryPointsOf(join(root, 'package.json')))
const { apiReportChanged, succeeded } = Extractor.invoke(prepare(), {
  localBuild: !values.check,
  printApiReportDiff: values.check,
  messageCallback: (message: { logLevel: string }) => {
    if (!values.check) message.logLevel = 'none'
  },
})
if (values.check && apiReportChanged) {
  console.error(
    'Failed to find the public types as `api/backlot.api.md` has them. If the change is intended, run `npm run api` and commit the report.',
  )
}
rmSync(cache, { recursive: true })
if (!succeeded) process.exitCode = 1

/** One module with a namespace for each entry point, so that a type that several of them export is reported once. */
function entryPointsOf(packageFile: string): string {
  const { exports } = JSON.parse(readFileSync(packageFile, 'utf8')) as {
    exports: Record<string, string | { default: string }>
  }
  return Object.entries(exports)
    .flatMap(([path, target]) =>
      typeof target === 'string' ? [] : [`export * as ${nameOf(path)} from '${target.default.replace('/dist', '')}'\n`],
    )
    .join('')
}

/** `./vitest/plugin` becomes `vitestPlugin`. */
function nameOf(path: string): string {
  return path === '.' ? 'index' : path.slice(2).replace(/\/(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function prepare(): object {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entry,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { extends: join(root, 'tsconfig.json'), include: [cache] } },
      apiReport: {
        enabled: true,
        reportFolder: folder,
        reportTempFolder: cache,
        reportFileName: 'backlot',
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
  })
}
