import { readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { type Command, Option } from 'commander'
import type { LibraryEntry } from '../library/library-entry.ts'
import { didYouMean } from '../names/nearest-name.ts'
import type { JsonObject } from '../protocol/json.ts'
import { withModelFile } from '../protocol/model-extension.ts'
import { withSignInFile } from '../protocol/sign-in.ts'
import { readTextFile } from '../runtime/read-text-file.ts'
import type { ApiModel } from '../service/openapi/model.ts'

/** A command's source: a user's description as text, or the description of a library entry. */
type FoundSource = { readonly text: string } | { readonly openapi: JsonObject }

/** The option for the included paths of a description. */
export const includeOption = (): Option =>
  new Option('--include <path>', 'these paths alone; * is any text; repeatable').argParser(
    (path: string, before: readonly string[] = []) => [...before, path],
  )

/** Adds a description as the argument of a command, and the options of {@link readModel}. */
export const takesDescription = (command: Command): Command =>
  command
    .argument(
      '<description>',
      'an OpenAPI description (JSON or YAML), a folder with one, or the slug of a library entry',
    )
    .addOption(includeOption())
    .option('--library <folder>', 'lay the files of this folder over the description, such as its model.yaml')

/**
 * Finds a command's source: a description's file (JSON or YAML), a folder with one, or the slug of a library entry. Throws an Error that
 * lists the choices.
 */
export async function findSource(source: string): Promise<FoundSource> {
  if (/^https?:/.test(source)) {
    throw new Error(
      `Failed to read the description "${source}": addresses are not fetched. Download it and pass its path.`,
    )
  }
  if (await isFolder(source)) {
    const { readFolder } = await import('../library/own-entries.ts')
    return sourceOf(await readFolder(source))
  }
  const text = await readTextFile(source).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`Failed to read the description "${source}": ${error.message}.`, { cause: error })
  })
  if (text !== undefined) {
    const { inOneDocument } = await import('../description/one-document.ts')
    return { text: await inOneDocument(text, source, readTextFile) }
  }
  const { loadEntry, listEntries } = await import('../library/built-in-entries.ts')
  const entry = await loadEntry(source)
  if (entry) return sourceOf(entry)
  const files = await readdir(dirname(source)).catch((): string[] => [])
  const slugs = (await listEntries()).map(({ slug }) => slug)
  const nearest = didYouMean(basename(source), [...slugs, ...files])
  throw new Error(
    `Failed to read "${source}": there is no such file and no library entry of that slug.${nearest} Run \`npx backlot library\` for the slugs.`,
  )
}

function sourceOf({ openapi, model, signIn }: LibraryEntry): FoundSource {
  const described = model === undefined ? openapi : withModelFile(openapi, model)
  return { openapi: withSignInFile(described, signIn) }
}

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Which part of a description a command reads, and what is laid over it. */
interface ReadFlags {
  readonly include?: readonly string[]
  /** A folder. */
  readonly library?: string
}

/**
 * The document of {@link findSource}, of any size, and its model. Throws an Error for an unreadable description, for a
 * pattern that no path fits, and for lines of a folder that do not fit it, with their files and lines.
 */
export async function readModel(
  source: string,
  { include, library }: ReadFlags,
): Promise<{ readonly document: JsonObject; readonly model: ApiModel }> {
  const found = await findSource(source)
  const [{ parseDescription }, { readDescription }] = await Promise.all([
    import('../service/openapi/parse-description.ts'),
    import('../service/openapi/read-description.ts'),
  ])
  const whole = 'openapi' in found ? found.openapi : await parseDescription(found.text)
  const described =
    include === undefined ? whole : (await import('../description/selected-paths.ts')).selectPaths(whole, include)
  const document = library === undefined ? described : await layFolder(library, described)
  try {
    return { document, model: readDescription(document) }
  } catch (cause) {
    const folder = library ?? ((await isFolder(source)) ? source : undefined)
    if (folder === undefined) throw cause
    const { locateFaults } = await import('../library/locate-faults.ts')
    throw new Error(await locateFaults((cause as Error).message, folder), { cause })
  }
}

async function layFolder(path: string, described: JsonObject): Promise<JsonObject> {
  const [{ readFolder, readParts }, { layingOver }] = await Promise.all([
    import('../library/own-entries.ts'),
    import('../service/openapi/lay-over.ts'),
  ])
  const { given, openapi } = await readParts(path)
  let document = described
  if (openapi !== undefined) {
    const laying = layingOver((await readFolder(path)).openapi, described)
    for (let step = laying.next(); ; step = laying.next()) {
      if (!step.done) continue
      document = step.value.document
      break
    }
  }
  return given.model === undefined ? document : withModelFile(document, given.model)
}
