import { chainOf, commitNamed, compare, patchesOf, toFile } from './compare.ts'
import { compareItems, directoryOf } from './files.ts'
import {
  API,
  type Fields,
  type GitHubRequest,
  idsOf,
  type Json,
  listOf,
  type Operations,
  SITE,
  sorted,
  textOf,
} from './github.ts'
import { commitOf, filesOf, toCommit, toShortBranch } from './show-git.ts'
import { toCommitComment } from './show-issue.ts'

const REPO = '/repos/{owner}/{repo}'
const COMMIT = `${REPO}/commits/{ref}`
const COMMENT = `${REPO}/comments/{comment_id}`

/** The commits with these ids of a repository. */
const commitsOf = (github: GitHubRequest, repo: Fields, shas: readonly string[]): Fields[] =>
  shas.flatMap((sha): Fields[] => {
    const commit = commitOf(github, repo.id, sha)
    return commit ? [commit] : []
  })

/** Whether a commit changes what is at a path or below. */
function changes(github: GitHubRequest, commit: Fields, path: string): boolean {
  const at = (tree_sha: Json | undefined) => directoryOf(listOf(filesOf(github, tree_sha)), path, true)
  const parent = commitOf(github, commit.repository_id, idsOf(commit.parents)[0])
  return compareItems(at(parent?.tree_sha), at(commit.tree_sha), 'path').length > 0
}

/** https://docs.github.com/rest/commits/commits#list-commits */
function list(github: GitHubRequest): object {
  const { repo, query, records } = github
  if (!records.commits.some({ repository_id: repo.id ?? null })) github.refuse(409, 'Git Repository is empty.')
  const tip = commitNamed(github, repo, textOf(query.sha ?? repo.default_branch)) ?? github.gone()
  const { path, author, since = '', until = '9999' } = query
  const writer = author && (github.accountNamed(author) ?? records.users.find({ email: author }))
  const chosen = commitsOf(github, repo, chainOf(tip)).filter((commit) => {
    const date = textOf((commit.author as Fields).date)
    return (
      date >= textOf(since) &&
      date <= textOf(until) &&
      (author === undefined || commit.author_id === (writer ? (writer as Fields).id : -1)) &&
      (path === undefined || changes(github, commit, textOf(path)))
    )
  })
  return github.page(sorted(chosen, 'depth', true), (commit) => toCommit(github, commit))
}

/** The commit that the path names. */
function found(github: GitHubRequest): Fields {
  const rev = textOf(github.path.ref)
  return commitNamed(github, github.repo, rev) ?? github.refuse(422, `No commit found for SHA: ${rev}`)
}

function read(github: GitHubRequest): object {
  const { repo } = github
  const head = found(github)
  const type = github.accepts('sha')
  if (type)
    return github.of.respond({ status: 200, headers: { 'Content-Type': `${type}; charset=utf-8` }, body: head.sha })
  const base = commitOf(github, repo.id, idsOf(head.parents)[0])
  const files = patchesOf(github, compare(github, repo, { base, head }).changed)
  const sum = (field: string) => files.reduce((total, file) => total + Number(file[field]), 0)
  const [additions, deletions] = [sum('additions'), sum('deletions')]
  const fields = { ...toCommit(github, head), stats: { additions, deletions, total: additions + deletions } }
  return github.pageIn('files', files, { show: (file) => toFile(repo, head, file), fields })
}

/** Where a side of a comparison is: `branch`, or `owner:branch` of a fork or of the parent. */
function sideOf(github: GitHubRequest, name: string): { repo: Fields; commit: Fields } {
  const { repo, records } = github
  const parts = name.split(':')
  const owner_id = parts.length > 1 ? (github.accountNamed(parts[0])?.id ?? null) : null
  const fork =
    owner_id === null
      ? undefined
      : (records.repos.find({ owner_id, parent_id: repo.id ?? null }) ??
        records.repos.find({ owner_id, id: repo.parent_id ?? null }))
  const commit = commitNamed(github, fork ?? repo, parts.at(-1) ?? '') ?? github.gone()
  return { repo: fork ?? repo, commit }
}

/** https://docs.github.com/rest/commits/commits#compare-two-commits */
function compareNamed(github: GitHubRequest): object {
  const { repo, path } = github
  const [from = '', to = ''] = textOf(path.basehead).split('...')
  const base = commitNamed(github, repo, from.split(':').at(-1) ?? '') ?? github.gone()
  const { repo: headRepo, commit: head } = sideOf(github, to)
  const { ahead, behind, mergeBase, changed } = compare(github, repo, { base, head })
  const status =
    behind.length === 0 ? (ahead.length === 0 ? 'identical' : 'ahead') : ahead.length === 0 ? 'behind' : 'diverged'
  const html_url = `${SITE}/${repo.full_name}/compare/${path.basehead}`
  const fields: Fields = {
    ...{ url: `${API}/repos/${repo.full_name}/compare/${path.basehead}`, html_url },
    ...{ diff_url: `${html_url}.diff`, patch_url: `${html_url}.patch` },
    permalink_url: `${SITE}/${repo.full_name}/compare/${base.sha}...${head.sha}`,
    base_commit: toCommit(github, base),
    ...(mergeBase && { merge_base_commit: toCommit(github, mergeBase) }),
    ...{ status, ahead_by: ahead.length, behind_by: behind.length, total_commits: ahead.length },
    files: patchesOf(github, changed).map((file) => toFile(repo, head, file)),
  }
  const commits = sorted(commitsOf(github, headRepo, ahead), 'depth')
  return github.pageIn('commits', commits, { show: (commit) => toCommit(github, commit), fields })
}

const commentOf = (github: GitHubRequest): Fields =>
  github.find('commit_comments', Number(github.path.comment_id), { repository_id: github.repo.id ?? null })

/** The comment of the path, which its writer and writers of the repository change. */
function ownComment(github: GitHubRequest): Fields {
  const comment = commentOf(github)
  const isOthers = ['none', 'pull', 'read', 'triage'].includes(github.role) && comment.user_id !== github.actorId
  return isOthers ? github.refuse(403, 'Must have admin rights to Repository.') : comment
}

function comment(github: GitHubRequest): object {
  const { sha = null } = found(github)
  const {
    path = null,
    position = null,
    line = null,
    body = null,
  } = github.sent({
    ...{ body: '', path: '', position: 0, line: 0 },
  })
  const made = github.create('commit_comments', {
    ...{ repository_id: github.repo.id ?? null, commit_id: sha, user_id: github.actorId, body, path, position, line },
  })
  const shown = toCommitComment(github, made)
  github.happen(github.repo, 'commit_comment.created', { action: 'created', comment: shown })
  return github.created(shown)
}

const listComments = (github: GitHubRequest, test: Fields): object =>
  github.page(
    github.records.commit_comments.where({ repository_id: github.repo.id ?? null, ...test }).toReversed(),
    (one) => toCommitComment(github, one),
  )

function tags(github: GitHubRequest): object {
  const { repo, records } = github
  const repository_id = repo.id ?? null
  const at = `${API}/repos/${repo.full_name}`
  const refs = records.refs.where({ repository_id }).filter(({ ref }) => textOf(ref).startsWith('refs/tags/'))
  return github.page(sorted(refs, 'ref', true), ({ id, ref, sha = null }) => ({
    name: textOf(ref).replace('refs/tags/', ''),
    commit: { sha: records.tags.find({ repository_id, sha })?.object ?? sha, url: `${at}/commits/${sha}` },
    ...{ zipball_url: `${at}/zipball/${ref}`, tarball_url: `${at}/tarball/${ref}` },
    node_id: Buffer.from(`REF_${id}`).toString('base64'),
  }))
}

export const commits: Operations = {
  [`GET ${REPO}/commits`]: list,
  [`GET ${COMMIT}`]: read,
  [`GET ${REPO}/compare/{basehead}`]: compareNamed,
  [`GET ${COMMIT}/branches-where-head`]: (github) => {
    const { repository_id = null, sha = null } = found(github)
    const refs = github.records.refs.where({ repository_id, sha }).toReversed()
    return refs.filter(({ ref }) => textOf(ref).startsWith('refs/heads/')).map((ref) => toShortBranch(github, ref))
  },
  [`GET ${REPO}/tags`]: tags,
  [`POST ${COMMIT}/comments`]: comment,
  [`GET ${COMMIT}/comments`]: (github) => listComments(github, { commit_id: found(github).sha ?? null }),
  [`GET ${REPO}/comments`]: (github) => listComments(github, {}),
  [`GET ${COMMENT}`]: (github) => toCommitComment(github, commentOf(github)),
  [`PATCH ${COMMENT}`]: (github) => {
    const own = ownComment(github)
    return toCommitComment(github, github.update('commit_comments', own, github.sent({ body: '' })))
  },
  [`DELETE ${COMMENT}`]: (github) => {
    github.records.commit_comments.remove(ownComment(github).id as number)
    return github.empty
  },
}
