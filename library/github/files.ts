import { createHash } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject, readField } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'

/** Unchanged lines around a change in a patch. */
const CONTEXT = 3

/** The changes of items between two lists: `{ status, before, after }` each, by the key. */
export function compareItems(before: readonly Json[], after: readonly Json[], by: string): Json[] {
  const keyOf = (item: Json) => JSON.stringify(readField(item, by.split('.')) ?? null)
  const stored = new Map(before.map((item) => [keyOf(item), item]))
  const changed = after.flatMap((item): Json[] => {
    const old = stored.get(keyOf(item))
    stored.delete(keyOf(item))
    if (old === undefined) return [{ status: 'added', after: item }]
    return JSON.stringify(old) === JSON.stringify(item) ? [] : [{ status: 'modified', before: old, after: item }]
  })
  const removed = [...stored.values()].map((item): Json => ({ status: 'removed', before: item }))
  const orderOf = (one: Json) => keyOf(readField(one, ['after']) ?? readField(one, ['before']) ?? null)
  return [...changed, ...removed].toSorted((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1))
}

/**
 * The contents of a directory in a list of files by whole `path`: files unchanged, directories by name; with `isDeep`
 * all files below it.
 */
export function directoryOf(files: readonly JsonObject[], path: string, isDeep: boolean): Json[] {
  if (isDeep) return filesBelow(files, path.replace(/\/+$/, ''))
  const prefix = path === '' ? '' : `${path.replace(/\/+$/, '')}/`
  const found = new Map<string, Json>()
  for (const file of files) {
    const whole = String(file.path)
    if (!whole.startsWith(prefix)) continue
    const [name = '', ...deeper] = whole.slice(prefix.length).split('/')
    if (deeper.length === 0) found.set(name, { ...file, name, type: 'file' })
    else if (!found.has(name)) {
      const tree = folderSha(files, `${prefix}${name}`)
      found.set(name, { path: `${prefix}${name}`, name, type: 'dir', tree })
    }
  }
  return [...found].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, item]) => item)
}

/** The id of a folder: that of its files. */
const folderSha = (files: readonly JsonObject[], path: string): string =>
  createHash('sha1')
    .update(JSON.stringify(inFolder(files, path).map((file) => [file.path, file.mode, file.sha])))
    .digest('hex')

/** The files of a folder, by their paths in it. */
const inFolder = (files: readonly JsonObject[], folder: string): JsonObject[] =>
  filesBelow(files, folder).map((file) => ({ ...file, path: String(file.path).slice(folder.length + 1) }))

const foldersOf = (files: readonly JsonObject[]): string[] => [
  ...new Set(
    files.flatMap(({ path }) => [...String(path).matchAll(/\//g)].map(({ index }) => String(path).slice(0, index))),
  ),
]

/** What a tree shows: files and folders of its first level, or of all. */
export function treeItems(files: readonly JsonObject[], isDeep: boolean): Json[] {
  const isShown = (path: string) => isDeep || !path.includes('/')
  const folders = foldersOf(files)
    .filter(isShown)
    .map((path): JsonObject => ({ path, mode: '040000', type: 'tree', sha: folderSha(files, path) }))
  const blobs = files
    .filter(({ path }) => isShown(String(path)))
    .map(
      ({ path, mode, type, sha, size }) =>
        ({ path, mode, type, sha, ...(size !== undefined && { size }) }) as JsonObject,
    )
  return [...folders, ...blobs].toSorted((left, right) => (String(left.path) < String(right.path) ? -1 : 1))
}

/** The folder with this id in one of the trees, as a tree; null without one. */
export function subtree(trees: readonly JsonObject[], sha: string): Json {
  for (const { files } of trees) {
    const all = Array.isArray(files) ? files.filter(isJsonObject) : []
    const path = foldersOf(all).find((folder) => folderSha(all, folder) === sha)
    if (path !== undefined) return { sha, files: inFolder(all, path) }
  }
  return null
}

/** The file at a path, or the files below it at any depth. */
const filesBelow = (files: readonly JsonObject[], path: string): JsonObject[] =>
  files.filter((file) => path === '' || file.path === path || String(file.path).startsWith(`${path}/`))

/** The change of a text as one hunk of a unified diff, with the number of added and removed lines. */
export function diffLines(before: string, after: string): JsonObject {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++
  const removed = old.slice(head, old.length - tail)
  const added = fresh.slice(head, fresh.length - tail)
  const above = old.slice(Math.max(0, head - CONTEXT), head)
  const below = old.slice(old.length - tail, old.length - tail + CONTEXT)
  const around = above.length + below.length
  const range = (count: number) => `${count === 0 ? 0 : head - above.length + 1}${count === 1 ? '' : `,${count}`}`
  const lines = [
    `@@ -${range(removed.length + around)} +${range(added.length + around)} @@`,
    ...above.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
  ]
  const isSame = removed.length === 0 && added.length === 0
  return { patch: isSame ? '' : lines.join('\n'), additions: added.length, deletions: removed.length }
}

/** Lines without the last line break; where there is none, Git says so below the line. */
const linesOf = (text: string): string[] =>
  text === ''
    ? []
    : (text.endsWith('\n') ? text.slice(0, -1) : `${text}\0`).split('\n').map((line) => line.replace('\0', NO_BREAK))
const NO_BREAK = '\n\\ No newline at end of file'

/** Where a comment of a review is in the patch of its file, by `position`, or by `line` and `side`. */
export function placed({ comment, files }: JsonObject): JsonObject {
  const { path, position, line, side = 'RIGHT', subject_type } = fieldsOf(comment)
  const lines = String(listOf(files).find((file) => file.path === path)?.patch ?? '').split('\n')
  const [, left = 1, right = 1] = /^@@ -(\d+)\S* \+(\d+)/.exec(lines[0] ?? '') ?? []
  const at = { LEFT: Math.max(Number(left), 1) - 1, RIGHT: Math.max(Number(right), 1) - 1 }
  for (const [index, text] of lines.entries()) {
    if (index === 0 || text.startsWith('\\')) continue
    if (!text.startsWith('+')) at.LEFT++
    if (!text.startsWith('-')) at.RIGHT++
    const own = side === 'LEFT' ? !text.startsWith('+') && at.LEFT === line : !text.startsWith('-') && at.RIGHT === line
    if (position === undefined || position === null ? !own : position !== index) continue
    const shown = line == null ? (text.startsWith('-') ? 'LEFT' : 'RIGHT') : (side as 'LEFT' | 'RIGHT')
    return { position: index, line: at[shown], side: shown, diff_hunk: lines.slice(0, index + 1).join('\n') }
  }
  const none = { position: position ?? null, line: line ?? null, side, diff_hunk: lines.join('\n') }
  return { ...none, isOutside: subject_type !== 'file' && (line != null || position != null) }
}

/** A file that both sides of a merge changed, and not alike. */
export function clashOf({ changed, others }: JsonObject): JsonObject | null {
  const sides = (rows: Json | undefined) =>
    listOf(rows).map(({ after, before }) => fieldsOf(after ?? { path: fieldsOf(before).path ?? null }))
  const theirs = new Map(sides(others).map((one) => [one.path, one]))
  const isOther = (one: JsonObject, two: JsonObject | undefined) =>
    two !== undefined && (one.sha !== two.sha || one.mode !== two.mode)
  return sides(changed).find((one) => isOther(one, theirs.get(one.path))) ?? null
}
