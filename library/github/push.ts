import { startRuns } from './actions.ts'
import { branchOf, type Comparison, chainOf, lacking } from './compare.ts'
import { type Fields, fieldsOf, type GitHub, idsOf, type Json, listOf, sha1, textOf } from './github.ts'
import { CLOSING } from './graphql-schema.ts'
import { addEvent, close, tellIssue } from './issue-changes.ts'
import { mainLanguage } from './languages.ts'
import { compareLink } from './links.ts'
import { branchName, commitOf, filesOf, toPushedCommit } from './show-git.ts'
import { repoOf } from './show-repo.ts'

/** Of no commit: before a branch begins, and after it ends. */
const NONE = '0'.repeat(40)

/** The id that Git gives a text, in base64. */
export const blobSha = (content: string): string => {
  const bytes = Buffer.from(content, 'base64')
  return sha1(`blob ${bytes.length}\0`, bytes)
}

export const treeSha = (files: readonly Json[]): string => sha1('tree', JSON.stringify(files))

/** A new blob. @param content in base64 */
export const makeBlob = ({ records }: GitHub, repo: Fields, content: string): Fields =>
  records.blobs.create({
    ...{ repository_id: repo.id ?? null, sha: blobSha(content), content },
    size: Buffer.from(content, 'base64').length,
  })

/** The files of a tree with others laid over: a file that is `gone` is left out. */
export function overlaid(files: readonly Json[], changes: readonly Fields[]): Fields[] {
  const byPath = new Map(listOf(files).map((file) => [file.path, file]))
  for (const change of changes) {
    if (change.gone === true) byPath.delete(change.path)
    else byPath.set(change.path, change)
  }
  return [...byPath.values()]
}

interface CommitParts {
  readonly files: readonly Json[]
  readonly parents: readonly Json[]
  readonly message: Json
  /** @default who acts */
  readonly author?: Fields | undefined
  /** @default the author */
  readonly committer?: Fields | undefined
}

/** A new commit, and its tree. */
export function makeCommit(github: GitHub, repo: Fields, { files, parents, message, ...by }: CommitParts): Fields {
  const { records, actor, actorId, time } = github
  const repository_id = repo.id ?? null
  const stamp = {
    name: actor?.name ?? actor?.login ?? null,
    ...{ email: actor?.email ?? 'noreply@github.example', date: time },
  }
  const author: Fields = { ...stamp, ...by.author }
  const committer: Fields = { ...stamp, ...(by.committer ?? by.author) }
  const idOf = (sign: Fields, given: Fields | undefined): Json =>
    records.users.find({ email: sign.email ?? null })?.id ?? (given?.email == null ? actorId : 0)
  const tree_sha = treeSha(files)
  if (!records.trees.some({ repository_id, sha: tree_sha }))
    records.trees.create({ repository_id, sha: tree_sha, files: [...files] })
  const older = parents.map((sha) => textsBefore(commitOf(github, repository_id, sha)))
  const ancestors = [...new Set([...parents, ...older.flat()])]
  const again = records.commits.count({ repository_id })
  return records.commits.create({
    ...{ repository_id, message, author, committer, tree_sha, parents: [...parents], ancestors },
    sha: sha1('commit', JSON.stringify({ tree_sha, parents, message, author, committer, again })),
    ...{ author_id: idOf(author, by.author), committer_id: idOf(committer, by.committer), depth: ancestors.length },
  })
}

const textsBefore = (commit: Fields | undefined): Json[] => idsOf(commit?.ancestors)

/** A file to write, with its content in base64, or one to delete. */
export interface Write {
  readonly path: string
  /** @default it is deleted */
  readonly content?: string
}

/** Writes files to a branch in one commit. @param ref such as `refs/heads/main` */
export function writeFiles(
  github: GitHub,
  repo: Fields,
  { ref, writes, ...parts }: { ref: string; writes: readonly Write[] } & Omit<CommitParts, 'files' | 'parents'>,
): Fields {
  const tip = github.records.refs.find({ repository_id: repo.id ?? null, ref })
  const parent = commitOf(github, repo.id, tip?.sha)
  const changes = writes.map(({ path, content }): Fields => {
    if (content === undefined) return { path, gone: true }
    const { sha = null, size = null } = makeBlob(github, repo, content)
    return { path, mode: '100644', type: 'blob', sha, size }
  })
  const files = overlaid(filesOf(github, parent?.tree_sha), changes)
  const commit = makeCommit(github, repo, { ...parts, files, parents: tip ? [tip.sha ?? null] : [] })
  push(github, repo, { ref, after: commit.sha ?? null })
  return commit
}

/** Merges the head of a comparison into a branch. Returns the commit. */
export function mergeInto(
  github: GitHub,
  repo: Fields,
  { ref, base, changed, ...parts }: { ref: string } & Pick<Comparison, 'base' | 'changed'> & Omit<CommitParts, 'files'>,
): Fields {
  const changes = changed.map(
    ({ status, before, after }): Fields =>
      status === 'removed' ? { path: fieldsOf(before).path ?? null, gone: true } : fieldsOf(after),
  )
  const commit = makeCommit(github, repo, { ...parts, files: overlaid(filesOf(github, base?.tree_sha), changes) })
  push(github, repo, { ref, after: commit.sha ?? null })
  return commit
}

const refName = (ref: Json | undefined): string => textOf(ref).replace(/^refs\/(heads|tags)\//, '')
const refType = (ref: Json | undefined): string => (textOf(ref).includes('refs/tags/') ? 'tag' : 'branch')
const pusherOf = ({ actor }: GitHub): Fields => ({ name: actor?.login ?? null, email: actor?.email ?? null })

interface Push {
  readonly ref: string
  /** The new commit. */
  readonly after: Json
  /** Whether the commits so far are dropped. */
  readonly forced?: boolean
}

/** Moves a ref to a commit, or creates it, and does all that follows a push. */
export function push(github: GitHub, repo: Fields, { ref, after, forced = false }: Push): void {
  const { records, time } = github
  const repository_id = repo.id ?? null
  const existing = records.refs.find({ repository_id, ref })
  const before = existing?.sha ?? NONE
  const to = commitOf(github, repository_id, after)
  const others = existing ? [] : records.refs.where({ repository_id }).map(({ sha }) => textOf(sha))
  const fresh = lacking(
    [textOf(after), ...chainOf(to).slice(1)],
    [...[textOf(before), ...chainOf(commitOf(github, repository_id, before)).slice(1)], ...others],
  )
  const commits = fresh
    .flatMap((sha): Fields[] => {
      const commit = commitOf(github, repository_id, sha)
      return commit ? [commit] : []
    })
    .toSorted((left, right) => Number(left.depth) - Number(right.depth))
    .map((commit) => toPushedCommit(github, commit))
  if (existing) records.refs.update(existing.id as number, { sha: after })
  else records.refs.create({ repository_id, ref, sha: after })
  const isDefault = ref === `refs/heads/${repo.default_branch}`
  const files = filesOf(github, to?.tree_sha)
  records.repos.update(repo.id as number, { pushed_at: time, ...(isDefault && { language: mainLanguage(files) }) })
  if (!existing)
    github.happen(repo, 'create', {
      ...{ ref: refName(ref), ref_type: refType(ref), master_branch: repo.default_branch ?? null },
      ...{ description: repo.description ?? null, pusher_type: 'user' },
    })
  tellPush(github, repo, {
    ...{ ref, before, after, created: !existing, forced, commits },
    head_commit: to ? toPushedCommit(github, to) : null,
  })
  if (ref.startsWith('refs/heads/')) {
    const workflows = workflowsIn(files)
    startRuns(github, repo, { workflows, event: 'push', branch: branchName(ref), sha: after })
  }
  followPulls(github, repo, { ref, before, after, forced })
  if (isDefault) closeMentioned(github, repo, commits.map(({ message }) => textOf(message)).join(''))
}

/** The files of workflows. */
export const workflowsIn = (files: readonly Json[]): Fields[] =>
  listOf(files).filter(({ path }) => textOf(path).includes('.github/workflows/'))

/** https://docs.github.com/webhooks/webhook-events-and-payloads#push */
export function tellPush(github: GitHub, repo: Fields, fields: Fields): void {
  const { before = null, after = null } = fields
  github.happen(repo, 'push', {
    ...{ created: false, deleted: false, forced: false, base_ref: null, commits: [], head_commit: null, ...fields },
    ...{ compare: compareLink({ repo: repo.full_name ?? null, before, after }), pusher: pusherOf(github) },
  })
}

/** Open pull requests from a branch get its commits. */
function followPulls(
  github: GitHub,
  repo: Fields,
  { ref, before, after, forced }: Required<Push> & { before: Json },
): void {
  for (const { pull, issue } of pullsFrom(github, { repository_id: repo.id ?? null, ref })) {
    if (issue.state !== 'open' || pull.merged === true) continue
    github.records.pulls.update(pull.id as number, { head_sha: after })
    tellIssue(github, issue, 'synchronize', { before, after })
    if (forced) addEvent(github, issue, 'head_ref_force_pushed')
  }
}

/** The pull requests from a branch, each with its issue, the oldest first. */
const pullsFrom = ({ records }: GitHub, { repository_id = null, ref }: Fields): { pull: Fields; issue: Fields }[] =>
  records.pulls
    .where({ head_repository_id: repository_id, head_ref: branchName(ref) })
    .toReversed()
    .map((pull) => ({ pull, issue: records.issues.get(pull.issue_id as number) ?? {} }))

/** Closes the issues that messages say they fix. https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue */
export function closeMentioned(github: GitHub, repo: Fields, text: string): void {
  const numbers = [...text.matchAll(CLOSING)].map(([, number]) => Number(number))
  if (numbers.length === 0) return
  const open = github.records.issues.where({ repository_id: repo.id ?? null, state: 'open', is_pull: false })
  for (const issue of open.toReversed())
    if (numbers.includes(Number(issue.number))) close(github, issue, { state_reason: 'completed' })
}

/** Deletes a ref: open pull requests from it are closed. */
export function dropRef(github: GitHub, ref: Fields): void {
  const { records } = github
  const repo = repoOf(github, ref)
  records.refs.remove(ref.id as number)
  for (const { issue } of pullsFrom(github, ref)) {
    if (issue.state === 'open') close(github, issue)
    addEvent(github, issue, 'head_ref_deleted')
  }
  github.happen(repo, 'delete', { ref: refName(ref.ref), ref_type: refType(ref.ref), pusher_type: 'user' })
  tellPush(github, repo, { ref: ref.ref ?? null, before: ref.sha ?? null, after: NONE, deleted: true })
}

/** The tip of a branch; undefined where there is none. */
export const tipOf = (github: GitHub, repo: Fields, branch: Json | undefined): Fields | undefined =>
  commitOf(github, repo.id, branchOf(github, repo, branch)?.sha)
