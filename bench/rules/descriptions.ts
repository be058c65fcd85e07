import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { JsonObject } from '../../src/protocol/json.ts'
import { parseDescription } from '../../src/service/openapi/parse-description.ts'

/** A real description, and whose API it describes. */
export interface Described {
  readonly name: string
  readonly vendor: string
  readonly document: JsonObject
}

const ROOT = join(import.meta.dirname, '../..')
const MODULES = join(ROOT, 'node_modules')

/** Descriptions of one API each, in packages. */
const PACKAGED: readonly (readonly [vendor: string, file: string])[] = [
  ['figma', '@figma/rest-api-spec/openapi/openapi.yaml'],
  ['neon', '@neondatabase/api-client/public-v2-for-users.gen.yaml'],
  ['netlify', '@netlify/open-api/dist/swagger.json'],
  ['scalar', '@scalar/galaxy/dist/latest.json'],
]

/** A package of examples. Those of known APIs are of their vendors, all others of one. */
const EXAMPLES = '@readme/oas-examples/3.0/json'

/** Vendors of files with another first word. An empty one: the second word of the file. */
const VENDORS: readonly (readonly [file: RegExp, vendor: string])[] = [
  [/petstore/, 'petstore'],
  [/star-?trek/, 'startrek'],
  [/uspto/, 'uspto'],
  [/^(oai|redocly)-/, ''],
]

/** The descriptions that a clone has after `npm ci`: those of packages, and those of the library. */
export function cloneDescriptions(): Promise<Described[]> {
  const library = readdirSync(join(ROOT, 'library')).map((vendor) => ({
    vendor,
    file: join(ROOT, 'library', vendor, 'openapi.yaml'),
  }))
  return readAll([
    ...PACKAGED.map(([vendor, file]) => ({ vendor, file: join(MODULES, file) })),
    ...filesIn(join(MODULES, EXAMPLES)).map((file) => ({ vendor: vendorOf(basename(file), 'readme'), file })),
    ...library.filter(({ file }) => existsSync(file)),
  ])
}

/** The descriptions in a folder; none where it is not there. */
export const folderDescriptions = (folder: string): Promise<Described[]> =>
  readAll(filesIn(folder).map((file) => ({ vendor: vendorOf(basename(file)), file })))

function vendorOf(file: string, other?: string): string {
  const [first = '', second = ''] = file.split(/[-.]/)
  const known = VENDORS.find(([name]) => name.test(file))?.[1]
  return known || (known === '' ? second : (other ?? first))
}

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /\.(json|ya?ml)$/.test(name))
        .map((name) => join(folder, name))
    : []

async function readAll(files: readonly { readonly vendor: string; readonly file: string }[]): Promise<Described[]> {
  const found: Described[] = []
  for (const { vendor, file } of files) {
    const document = await parseDescription(readFileSync(file, 'utf8'))
    found.push({ name: `${vendor}/${basename(file)}`, vendor, document })
  }
  return found
}
