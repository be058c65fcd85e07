import { commitNamed } from './compare.ts'
import { subtree, treeItems } from './files.ts'
import {
  API,
  type Fields,
  fieldsOf,
  type GitHubRequest,
  idsOf,
  type Json,
  listOf,
  nodeId,
  type Operations,
  sha1,
  sorted,
  textOf,
} from './github.ts'
import { dropRef, makeBlob, makeCommit, overlaid, push, treeSha } from './push.ts'
import { commitOf, toGitCommit, toRef, toTag } from './show-git.ts'

const GIT = '/repos/{owner}/{repo}/git'

function createBlob(github: GitHubRequest): object {
  const { repo } = github
  const { content = '', encoding } = github.sent({ content: '', encoding: '' })
  const base64 = encoding === 'base64' ? textOf(content) : Buffer.from(textOf(content)).toString('base64')
  const { sha = null } = makeBlob(github, repo, base64)
  return github.created({ sha, url: `${API}/repos/${repo.full_name}/git/blobs/${sha}` })
}

function readBlob(github: GitHubRequest): object {
  const { repo, records, path } = github
  const test = { repository_id: repo.id ?? null, sha: textOf(path.file_sha) }
  const { id, sha = null, size = null, content } = records.blobs.find(test) ?? github.gone()
  if (github.accepts('raw')) return github.file(textOf(content))
  const url = `${API}/repos/${repo.full_name}/git/blobs/${sha}`
  return { sha, node_id: nodeId('B_', id), size, url, content: `${textOf(content)}\n`, encoding: 'base64' }
}

/** A tree, with folders of the first level, or of all. */
function toTree(repo: Fields, { sha = null, files }: Fields, isDeep: boolean): Fields {
  const at = `${API}/repos/${repo.full_name}/git`
  const tree = listOf(treeItems(listOf(files), isDeep)).map((one) => ({ ...one, url: `${at}/${one.type}s/${one.sha}` }))
  return { sha, url: `${at}/trees/${sha}`, tree, truncated: false }
}

/** An item of a new tree: a text, an object that is there, or without both one to leave out. */
function toTreeFile(github: GitHubRequest, { path = null, mode, type: given, sha, content }: Fields): Fields {
  if (content != null) {
    const blob = makeBlob(github, github.repo, Buffer.from(textOf(content)).toString('base64'))
    return { path, mode: mode ?? '100644', type: 'blob', sha: blob.sha ?? null, size: blob.size ?? null }
  }
  if (sha == null) return { path, gone: true }
  const type = given ?? { '040000': 'tree', '160000': 'commit' }[textOf(mode)] ?? 'blob'
  const blob = github.records.blobs.find({ sha })
  if (type === 'blob' && blob === undefined) github.refuse(422, `tree.sha ${sha} is not a valid blob`)
  return { path, mode: mode ?? '100644', type, sha, size: blob?.size ?? 0 }
}

function createTree(github: GitHubRequest): object {
  const { repo, records } = github
  const { base_tree, tree } = github.sent({ base_tree: '', tree: [] })
  const repository_id = repo.id ?? null
  const treeAt = (sha: Json | undefined) => (sha == null ? undefined : records.trees.find({ sha }))
  const base = treeAt(base_tree) ?? treeAt(commitOf(github, repository_id, base_tree)?.tree_sha)
  if (base_tree != null && base === undefined) github.refuse(422, 'base_tree is not a valid tree oid')
  const changes = listOf(tree).map((item) => toTreeFile(github, item))
  const files = overlaid(idsOf(base?.files), changes)
  const made = records.trees.create({ repository_id, sha: treeSha(files), files })
  return github.created(toTree(repo, made, false))
}

function readTree(github: GitHubRequest): Fields {
  const { repo, records, path, query } = github
  const sha = textOf(path.tree_sha)
  const commit = commitNamed(github, repo, sha)
  const own = () => fieldsOf(subtree(records.trees.where({ repository_id: repo.id ?? null }).toReversed(), sha))
  const tree = records.trees.find({ sha }) ?? (commit && records.trees.find({ sha: commit.tree_sha ?? null })) ?? own()
  return tree.sha === undefined ? github.gone() : toTree(repo, tree, query.recursive !== undefined)
}

function createCommit(github: GitHubRequest): object {
  const { repo, records } = github
  const {
    tree,
    message = null,
    parents,
    ...by
  } = github.sent({
    ...{ tree: '', message: '', parents: [], author: {}, committer: {} },
  })
  const wanted = records.trees.find({ repository_id: repo.id ?? null, sha: tree ?? null })
  if (wanted === undefined) return github.invalid({ resource: 'Commit', field: 'tree', code: 'invalid' })
  const [author, committer] = [by.author, by.committer].map((one) => (one ? fieldsOf(one) : undefined))
  const parts = { files: idsOf(wanted.files), message, parents: idsOf(parents), author, committer }
  return github.created(toGitCommit(github, makeCommit(github, repo, parts)))
}

const refNamed = ({ records, repo }: GitHubRequest, ref: string): Fields | undefined =>
  records.refs.find({ repository_id: repo.id ?? null, ref })

const refOf = (github: GitHubRequest): Fields | undefined => refNamed(github, `refs/${github.path.ref}`)

function createRef(github: GitHubRequest): object {
  const { repo, records } = github
  const { ref = '', sha = '' } = github.sent({ ref: '', sha: '' })
  const name = textOf(ref)
  if (refNamed(github, name)) github.refuse(422, 'Reference already exists')
  const tag = records.tags.find({ repository_id: repo.id ?? null, sha })
  const commit = commitOf(github, repo.id, tag?.object ?? sha)
  if (commit === undefined) return github.refuse(422, 'Object does not exist')
  push(github, repo, { ref: name, after: commit.sha ?? null })
  const made = refNamed(github, name) ?? github.gone()
  const shown = tag ? records.refs.update(made.id as number, { sha: tag.sha, is_tag: true }) : made
  return github.created(toRef(github, shown))
}

function moveRef(github: GitHubRequest): Fields {
  const { repo } = github
  const { sha = null, force } = github.sent({ sha: '', force: true })
  const existing = refOf(github)
  if (existing === undefined) return github.refuse(422, 'Reference does not exist')
  const commit = commitOf(github, repo.id, sha) ?? github.refuse(422, 'Object does not exist')
  const isSame = existing.sha === sha
  const forced = !idsOf(commit.ancestors).includes(existing.sha ?? null)
  if (forced && !isSame && force !== true) github.refuse(422, 'Update is not a fast forward')
  const mayForce = fieldsOf(fieldsOf(existing.rules).allow_force_pushes).enabled === true
  if (forced && !isSame && existing.protected === true && !mayForce)
    github.refuse(422, 'Cannot force-push to this branch')
  push(github, repo, { ref: textOf(existing.ref), after: sha, forced })
  return toRef(github, refOf(github) ?? existing)
}

function removeRef(github: GitHubRequest): object {
  const existing = refOf(github)
  if (existing === undefined) return github.refuse(422, 'Reference does not exist')
  if (existing.protected === true && fieldsOf(fieldsOf(existing.rules).allow_deletions).enabled !== true)
    github.refuse(422, 'Cannot delete this protected branch')
  dropRef(github, existing)
  return github.empty
}

function createTag(github: GitHubRequest): object {
  const { repo, actor, time } = github
  const { tagger, ...sent } = github.sent({ tag: '', message: '', object: '', type: '', tagger: {} })
  const { tag = null, object = null, message = null } = sent
  const by = { name: actor?.name ?? null, email: actor?.email ?? null, date: time, ...fieldsOf(tagger) }
  const made = github.records.tags.create({
    ...{ repository_id: repo.id ?? null, ...sent, tagger: by },
    sha: sha1('tag', JSON.stringify({ tag, object, message })),
  })
  return github.created(toTag(github, made))
}

export const gitData: Operations = {
  [`POST ${GIT}/blobs`]: createBlob,
  [`GET ${GIT}/blobs/{file_sha}`]: readBlob,
  [`POST ${GIT}/trees`]: createTree,
  [`GET ${GIT}/trees/{tree_sha}`]: readTree,
  [`POST ${GIT}/commits`]: createCommit,
  [`GET ${GIT}/commits/{commit_sha}`]: (github) => {
    const commit = commitOf(github, github.repo.id, github.path.commit_sha)
    return commit ? toGitCommit(github, commit) : github.gone()
  },
  [`POST ${GIT}/refs`]: createRef,
  [`GET ${GIT}/ref/{ref}`]: (github) => toRef(github, refOf(github) ?? github.gone()),
  [`GET ${GIT}/matching-refs/{ref}`]: (github) => {
    const wanted = `refs/${github.path.ref}`
    const refs = github.records.refs.where({ repository_id: github.repo.id ?? null })
    const matching = refs.filter(({ ref }) => textOf(ref).startsWith(wanted))
    return github.page(sorted(matching, 'ref'), (ref) => toRef(github, ref))
  },
  [`PATCH ${GIT}/refs/{ref}`]: moveRef,
  [`DELETE ${GIT}/refs/{ref}`]: removeRef,
  [`POST ${GIT}/tags`]: createTag,
  [`GET ${GIT}/tags/{tag_sha}`]: (github) => {
    const tag = github.records.tags.find({ repository_id: github.repo.id ?? null, sha: github.path.tag_sha ?? '' })
    return tag ? toTag(github, tag) : github.gone()
  },
}
