import { compareItems } from './files.ts'
import { API, type Fields, fieldsOf, idsOf, type Json, nodeId, type Reader, SITE, sent, textOf } from './records.ts'
import { personOf } from './show-accounts.ts'
import { nameOf } from './show-repo.ts'

const UNSIGNED = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null }

/** The files of a tree; none without one. */
export const filesOf = ({ records }: Reader, tree_sha: Json | undefined): Json[] =>
  idsOf(tree_sha == null ? undefined : records.trees.find({ sha: tree_sha })?.files)

export const commitOf = (
  { records }: Reader,
  repository_id: Json | undefined,
  sha: Json | undefined,
): Fields | undefined => (sha == null ? undefined : records.commits.find({ repository_id: repository_id ?? null, sha }))

/** The content of a blob, in base64. */
export const contentOf = ({ records }: Reader, sha: Json | undefined): string =>
  sha == null ? '' : textOf(records.blobs.find({ sha })?.content)

const parentsOf = (repo: Json, commit: Fields): Fields[] =>
  idsOf(commit.parents).map((sha) => ({
    ...{ sha, url: `${API}/repos/${repo}/commits/${sha}`, html_url: `${SITE}/${repo}/commit/${sha}` },
  }))

const treeOf = (repo: Json, { tree_sha = null }: Fields): Fields => ({
  ...{ sha: tree_sha, url: `${API}/repos/${repo}/git/trees/${tree_sha}` },
})

/** A commit as `git/commits` has it. */
export function toGitCommit(reader: Reader, commit: Fields): Fields {
  const { sha = null } = commit
  const repo = nameOf(reader, commit)
  return {
    ...{ sha, node_id: nodeId('C_', sha), url: `${API}/repos/${repo}/git/commits/${sha}` },
    ...{ html_url: `${SITE}/${repo}/commit/${sha}`, ...sent(commit, 'author committer message') },
    ...{ tree: treeOf(repo, commit), parents: parentsOf(repo, commit), verification: UNSIGNED },
  }
}

/** A commit of lists and of its own answer. */
export function toCommit(reader: Reader, commit: Fields): Fields {
  const { sha = null, repository_id = null } = commit
  const repo = nameOf(reader, commit)
  const url = `${API}/repos/${repo}/commits/${sha}`
  return {
    ...{ sha, node_id: nodeId('C_', sha) },
    commit: {
      ...{ ...sent(commit, 'author committer message'), tree: treeOf(repo, commit) },
      url: `${API}/repos/${repo}/git/commits/${sha}`,
      comment_count: reader.records.commit_comments.count({ repository_id, commit_id: sha }),
      verification: UNSIGNED,
    },
    ...{ url, html_url: `${SITE}/${repo}/commit/${sha}`, comments_url: `${url}/comments` },
    ...{ author: personOf(reader, commit.author_id), committer: personOf(reader, commit.committer_id) },
    parents: parentsOf(repo, commit),
  }
}

/** What a commit changes against its first parent. */
export function changesOf(reader: Reader, { repository_id, parents, tree_sha }: Fields): Fields[] {
  const parent = commitOf(reader, repository_id, idsOf(parents)[0])
  return compareItems(filesOf(reader, parent?.tree_sha), filesOf(reader, tree_sha), 'path') as Fields[]
}

/** A commit in a push. */
export function toPushedCommit(reader: Reader, commit: Fields): Fields {
  const { sha = null, tree_sha = null, message = null } = commit
  const changes = changesOf(reader, commit)
  const pathsOf = (status: string, side: string) =>
    changes.filter((one) => one.status === status).map((one) => fieldsOf(one[side]).path ?? null)
  const signed = (who: string) => {
    const user = reader.records.users.get(commit[`${who}_id`] as number)
    return { ...fieldsOf(commit[who]), ...(user && { username: user.login ?? null }) }
  }
  return {
    ...{ id: sha, tree_id: tree_sha, distinct: true, message, timestamp: fieldsOf(commit.committer).date ?? null },
    ...{ url: `${SITE}/${nameOf(reader, commit)}/commit/${sha}` },
    ...{ author: signed('author'), committer: signed('committer'), added: pathsOf('added', 'after') },
    ...{ removed: pathsOf('removed', 'before'), modified: pathsOf('modified', 'after') },
  }
}

/** The newest commit of a workflow run, or of a suite of checks. */
export function toHeadCommit(reader: Reader, { repository_id, head_sha }: Fields): Fields | null {
  const commit = commitOf(reader, repository_id, head_sha)
  if (commit === undefined) return null
  const { sha = null, tree_sha = null, message = null, author = null, committer = null } = commit
  return { id: sha, tree_id: tree_sha, message, timestamp: fieldsOf(committer).date ?? null, author, committer }
}

export function toRef(reader: Reader, { id, ref = null, sha = null, is_tag, ...record }: Fields): Fields {
  const at = `${API}/repos/${nameOf(reader, record)}/git`
  const type = is_tag === true ? 'tag' : 'commit'
  return {
    ...{ ref, node_id: nodeId('REF_', id), url: `${at}/${ref}`, object: { type, sha, url: `${at}/${type}s/${sha}` } },
  }
}

export const branchName = (ref: Json | undefined): string => textOf(ref).replace(/^refs\/heads\//, '')

/** A branch of a list. */
export const toShortBranch = (reader: Reader, ref: Fields): Fields => ({
  name: branchName(ref.ref),
  commit: { sha: ref.sha ?? null, url: `${API}/repos/${nameOf(reader, ref)}/commits/${ref.sha}` },
  protected: ref.protected ?? null,
})

const OPEN = { enabled: false, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } }

export function toBranch(reader: Reader, ref: Fields): Fields {
  const [repo, name] = [nameOf(reader, ref), branchName(ref.ref)]
  const self = `${API}/repos/${repo}/branches/${name}`
  const commit = commitOf(reader, ref.repository_id, ref.sha)
  const checks = fieldsOf(fieldsOf(ref.rules).required_status_checks)
  const closed = {
    enabled: true,
    required_status_checks: { enforcement_level: 'everyone', contexts: [], checks: [], ...checks },
  }
  return {
    ...toShortBranch(reader, ref),
    ...(commit && { commit: toCommit(reader, commit) }),
    _links: { self, html: `${SITE}/${repo}/tree/${name}` },
    protection: ref.protected === true ? closed : OPEN,
    protection_url: `${self}/protection`,
  }
}

/** An annotated tag. */
export function toTag(reader: Reader, tag: Fields): Fields {
  const at = `${API}/repos/${nameOf(reader, tag)}/git`
  const { sha = null, type = null, object = null } = tag
  return {
    ...{ node_id: nodeId('TA_', sha), ...sent(tag, 'tag sha message tagger'), url: `${at}/tags/${sha}` },
    ...{ object: { type, sha: object, url: `${at}/commits/${object}` }, verification: UNSIGNED },
  }
}

/** A file or a folder at a revision. @param file with its whole path */
export function toContent(repo: Json, rev: string, file: Fields): Fields {
  const { path = null, sha } = file
  const isFile = sha != null
  const id = (isFile ? sha : file.tree) ?? null
  const url = `${API}/repos/${repo}/contents/${path}?ref=${rev}`
  const html_url = `${SITE}/${repo}/${isFile ? 'blob' : 'tree'}/${rev}/${path}`
  const git_url = `${API}/repos/${repo}/git/${isFile ? 'blobs' : 'trees'}/${id}`
  return {
    ...{ name: textOf(path).split('/').at(-1) ?? '', path, size: file.size ?? 0, url },
    ...{ type: isFile ? 'file' : 'dir', sha: id, html_url, git_url },
    download_url: isFile ? `https://raw.github.example/${repo}/${rev}/${path}` : null,
    _links: { self: url, git: git_url, html: html_url },
  }
}
