import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const EXAMPLES = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'))
/** Descriptions of products and of the specification's authors, in a package that every clone installs. */
const INSTALLED = [
  '2.0/json/petstore-expanded.json',
  '2.0/json/petstore.json',
  '3.0/json/openapi-workshop/hoot.json',
  '3.0/json/petstore.json',
  '3.0/json/readme-legacy.json',
  '3.0/json/star-trek.json',
  '3.0/json/uspto.json',
  '3.1/json/petstore.json',
  '3.1/json/readme.json',
  '3.1/json/train-travel.json',
]

/** Path of one of the installed descriptions. */
export const installedDescription = (name: string): string => join(EXAMPLES, name)

/** Folder of further real descriptions, beside the project; a plain clone does not have it. */
export const DESCRIPTIONS = fileURLToPath(new URL('../../shared/data/openapi/', import.meta.url))

/** Whether these are here. Tests that need them are skipped where they are not. */
export const hasDescriptions = existsSync(DESCRIPTIONS)

if (!hasDescriptions) {
  console.warn(
    'Tests of further descriptions are skipped: the folder ../shared/data/openapi is not beside the project.',
  )
}

/** Names of all real descriptions that are here, with their paths. */
export const realDescriptions: readonly (readonly [name: string, path: string])[] = [
  ...INSTALLED.map((name) => [name, installedDescription(name)] as const),
  ...(hasDescriptions ? readdirSync(DESCRIPTIONS) : [])
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .map((name) => [name, join(DESCRIPTIONS, name)] as const),
]
