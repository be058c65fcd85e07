import { clashOf, compareItems, diffLines } from './files.ts'
import { API, type Fields, fieldsOf, type Json, listOf, type Reader, SITE, textOf, textsOf } from './records.ts'
import { commitOf, contentOf, filesOf } from './show-git.ts'
import { repoOf } from './show-repo.ts'

interface Sides {
  readonly base: Fields | undefined
  readonly head: Fields | undefined
}

/** What two commits have and have not in common. */
export interface Comparison extends Sides {
  /** Ids of the commits of the head that the base lacks, the newest first. */
  readonly ahead: string[]
  /** Ids of those of the base that the head lacks. */
  readonly behind: string[]
  readonly mergeBase: Fields | undefined
  /** The files that the head has changed since the merge base: `{ status, before, after }` each. */
  readonly changed: Fields[]
  /** A file that both sides have changed, and not alike. */
  readonly clash: Fields | null
}

/** The ids of a commit and of all before it. */
export const chainOf = (commit: Fields | undefined): string[] =>
  commit === undefined ? [] : [textOf(commit.sha), ...textsOf(commit.ancestors)]

/** The items of a list that another does not have. */
export function lacking<T>(items: readonly T[], others: readonly T[]): T[] {
  const known = new Set(others)
  return items.filter((one) => !known.has(one))
}

export const branchOf = ({ records }: Reader, repo: Fields, name: Json | undefined): Fields | undefined =>
  records.refs.find({ repository_id: repo.id ?? null, ref: `refs/heads/${name}` })

export function compare(reader: Reader, repo: Fields, { base, head }: Sides): Comparison {
  const [headChain, baseChain] = [chainOf(head), chainOf(base)]
  const ahead = lacking(headChain, baseChain)
  const [common] = lacking(headChain, ahead)
  const mergeBase = commitOf(reader, repo.id, common)
  const before = filesOf(reader, mergeBase?.tree_sha)
  const since = (commit: Fields | undefined) => listOf(compareItems(before, filesOf(reader, commit?.tree_sha), 'path'))
  const changed = since(head)
  const clash = clashOf({ changed, others: since(base) })
  return { base, head, ahead, behind: lacking(baseChain, headChain), mergeBase, changed, clash }
}

/** The tip of the base branch, or where it was at the merge, and the head. */
export function comparePull(reader: Reader, pull: Fields): Comparison {
  const repo = repoOf(reader, pull)
  const tip = pull.merged === true ? pull.base_sha : branchOf(reader, repo, pull.base_ref)?.sha
  const head = commitOf(reader, pull.head_repository_id, pull.head_sha)
  return compare(reader, repo, { base: commitOf(reader, repo.id, tip), head })
}

/** The changed files with their patches: each costs a comparison of lines. */
export const patchesOf = (reader: Reader, changed: readonly Fields[]): Fields[] =>
  changed.map(({ status = null, before, after }) => {
    const text = (file: Json | undefined) => Buffer.from(contentOf(reader, fieldsOf(file).sha), 'base64').toString()
    const { path = null, sha = null } = fieldsOf(after ?? before)
    return { path, status, sha, ...diffLines(text(before), text(after)) }
  })

/** A changed file, as answers show it. */
export function toFile(repo: Fields, head: Fields | undefined, file: Fields): Fields {
  const { path = null, sha = null, status = null, additions = 0, deletions = 0, patch = '' } = file
  const [name, rev] = [repo.full_name, head?.sha]
  return {
    ...{ sha, filename: path, status, additions, deletions, changes: Number(additions) + Number(deletions) },
    ...{ blob_url: `${SITE}/${name}/blob/${rev}/${path}`, raw_url: `${SITE}/${name}/raw/${rev}/${path}` },
    ...{ contents_url: `${API}/repos/${name}/contents/${path}?ref=${rev}`, patch },
  }
}

/** How much a comparison changes, as pull requests show it. */
export function totalsOf(reader: Reader, { ahead, changed }: Comparison): Fields {
  const files = patchesOf(reader, changed)
  const sum = (field: string) => files.reduce((total, file) => total + Number(file[field]), 0)
  const [additions, deletions] = [sum('additions'), sum('deletions')]
  return { commits: ahead.length, additions, deletions, changed_files: files.length }
}

/** The commit that a branch, a tag, a whole ref or an id names. */
export function commitNamed(reader: Reader, repo: Fields, rev: string): Fields | undefined {
  const { refs, tags } = reader.records
  const repository_id = repo.id ?? null
  const named = [`refs/heads/${rev}`, `refs/tags/${rev}`, `refs/${rev}`, rev]
  const ref = named.map((one) => refs.find({ repository_id, ref: one })).find((one) => one !== undefined)
  const sha = ref?.sha ?? rev
  const tag = tags.find({ repository_id, sha })
  return commitOf(reader, repository_id, tag?.object ?? sha) ?? commitBegun(reader, repo, rev)
}

/** The only commit whose id begins like this. */
function commitBegun({ records }: Reader, { id = null }: Fields, rev: string): Fields | undefined {
  if (!/^[0-9a-f]{4,39}$/.test(rev)) return undefined
  const begun = records.commits.where({ repository_id: id }).filter(({ sha }) => textOf(sha).startsWith(rev))
  return begun.length === 1 ? begun[0] : undefined
}
