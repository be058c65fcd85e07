import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { slugOf } from '../names/words.ts'
import { isJsonObject, type Json } from '../protocol/json.ts'
import { SLUG_CHARACTERS } from '../protocol/simulation.ts'
import { readTextFile } from '../runtime/read-text-file.ts'
import { printLines } from './terminal.ts'

/** Writes the folder of a new entry: the description unchanged, the entry's names, and a derived plan. */
export async function writeNewEntry(name: string, { from }: { from: string }): Promise<void> {
  const slug = slugOf(name, SLUG_CHARACTERS)
  if (slug === '' || slug !== name)
    throw new Error(
      `Expected the name to be a slug of small letters, digits and \`-\`, got "${name}".${slug && ` Take "${slug}".`}`,
    )
  const [{ parseDescription }, { readDescription }, { derivePlan }, { dump }] = await Promise.all([
    import('../service/openapi/parse-description.ts'),
    import('../service/openapi/read-description.ts'),
    import('../service/behaviour/derive-plan.ts'),
    import('js-yaml'),
  ])
  const text = await readTextFile(from).catch((cause: Error) => {
    throw new Error(`Failed to read the description "${from}": ${cause.message}.`, { cause })
  })
  const document = await parseDescription(text)
  const model = readDescription(document)
  const info = isJsonObject(document.info) ? document.info : {}
  const entry = {
    slug,
    name: model.title,
    provider: model.title,
    vertical: 'local',
    description: typeof info.description === 'string' ? (info.description.split('\n')[0] ?? '').slice(0, 300) : '',
    volume: Object.fromEntries(model.collections.map(({ name: collection }) => [collection, 20])),
  }
  const first = model.collections[0]?.name
  const steps = first === undefined ? [] : listStep(model.operations, first)
  await mkdir(name).catch((cause: NodeJS.ErrnoException) => {
    const fact = cause.code === 'EEXIST' ? 'there is something of that name' : cause.message
    throw new Error(`Failed to make the folder "${name}": ${fact}. Take another name, or remove it.`, { cause })
  })
  const put = (file: string, value: unknown) =>
    writeFile(join(name, file), dump(value, { lineWidth: 140, noRefs: true }))
  await writeFile(join(name, `openapi.${/^\s*[{[]/.test(text) ? 'json' : 'yaml'}`), text)
  await put('entry.yaml', entry)
  await put('behaviour.yaml', derivePlan(model))
  if (steps.length > 0) await put('verify.yaml', { steps })
  printLines([
    `Wrote ${name}/ with openapi, entry.yaml, behaviour.yaml${steps.length > 0 ? ' and verify.yaml' : ''}.`,
    `Check it with \`npx backlot library check ${name}\`, and serve it with \`npx backlot serve --library-folder ${name} ${slug}\`.`,
  ])
}

/** A first step of the proof: the list of a collection. */
function listStep(
  operations: readonly { readonly method: string; readonly path: string; readonly effect: object }[],
  collection: string,
): Json[] {
  const list = operations.find(
    ({ path, effect }) =>
      !path.includes('{') &&
      'kind' in effect &&
      effect.kind === 'list' &&
      'collection' in effect &&
      effect.collection === collection,
  )
  return list === undefined ? [] : [{ send: `${list.method} ${list.path}`, status: 200 }]
}
