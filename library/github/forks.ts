import type { OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf } from '../shared/values.ts'
import { created, filled, type Handler, isThere, pick, refused } from './answers.ts'

const COPIED = [
  'sha',
  'message',
  'author',
  'committer',
  'author_id',
  'committer_id',
  'tree_sha',
  'parents',
  'ancestors',
  'depth',
]

const repoAt = ({ records }: OperationContext, owner: unknown, name: unknown): JsonObject | undefined =>
  records.repos?.find({ key: `${owner}/${name}`.toLowerCase() })

/** Brings a branch of a fork to where the parent's is. https://docs.github.com/rest/branches/branches#sync-a-fork-branch-with-the-upstream-repository */
const mergeUpstream: Handler = (context) => {
  const { records, body, call } = context
  const at = filled(context, '/repos/{owner}/{repo}')
  const { status, body: shown } = call('GET', at)
  const repo = status < 400 ? records.repos?.get(String(fieldsOf(shown).id)) : undefined
  const parent = repo?.parent_id == null ? undefined : records.repos?.get(String(repo.parent_id))
  if (repo === undefined || fieldsOf(fieldsOf(shown).permissions).push !== true) return isThere(context, false)
  if (parent === undefined) return refused(context, 422, 'The repository is not a fork.')
  const [ref, branch] = [`refs/heads/${body.branch}`, String(body.branch)]
  const [own, theirs] = [parent, repo].map(({ id }) => records.refs?.find({ repository_id: id, ref })).toReversed()
  if (own === undefined || theirs === undefined) return refused(context, 404, 'Branch not found')
  const base_branch = `${String(parent.full_name).split('/')[0]}:${branch}`
  const upstream = records.commits?.find({ repository_id: parent.id, sha: theirs.sha })
  const mine = records.commits?.find({ repository_id: repo.id, sha: own.sha })
  const has = (commit: JsonObject | undefined, sha: unknown) =>
    commit?.sha === sha || (Array.isArray(commit?.ancestors) && commit.ancestors.includes(sha as string))
  if (has(mine, theirs.sha))
    return { message: `This branch is not behind the upstream ${base_branch}.`, merge_type: 'none', base_branch }
  const chain = [theirs.sha, ...(Array.isArray(upstream?.ancestors) ? upstream.ancestors : [])]
  for (const sha of chain.toReversed()) {
    const commit = records.commits?.find({ repository_id: parent.id, sha: String(sha) })
    if (commit && !records.commits?.some({ repository_id: repo.id, sha: String(sha) }))
      records.commits?.create({ ...pick(commit, COPIED), repository_id: repo.id } as never)
  }
  if (has(upstream, own.sha)) {
    call('PATCH', `${at}/git/refs/heads/${branch}`, { sha: theirs.sha })
    const message = `Successfully fetched and fast-forwarded from upstream ${base_branch}.`
    return { message, merge_type: 'fast-forward', base_branch }
  }
  const merged = call('POST', `${at}/merges`, {
    base: branch,
    head: String(theirs.sha),
    commit_message: `Merge branch '${base_branch}'`,
  })
  if (merged.status >= 400) return refused(context, 409, 'There are merge conflicts.')
  return { message: `Successfully fetched and merged from upstream ${base_branch}.`, merge_type: 'merge', base_branch }
}

/** A new repository with the files of a template, in one commit. */
const generate: Handler = (context) => {
  const { path, body, call, records, respond } = context
  const from = `/repos/${path.template_owner}/${path.template_repo}`
  const { status, body: template } = call('GET', from)
  if (status >= 400 || template.is_template !== true) return isThere(context, false)
  const user = fieldsOf(call('GET', '/user').body)
  const owner = String(body.owner ?? user.login)
  const isOwn = owner.toLowerCase() === String(user.login).toLowerCase()
  const made = call('POST', isOwn ? '/user/repos' : `/orgs/${owner}/repos`, {
    ...pick(body, ['name', 'description', 'private']),
  })
  if (made.status >= 400) return respond({ status: made.status, body: made.body })
  const at = `/repos/${made.body.full_name}`
  const source = repoAt(context, path.template_owner, path.template_repo)
  const tip = records.refs?.find({ repository_id: source?.id ?? 0, ref: `refs/heads/${source?.default_branch}` })
  const commit = records.commits?.find({ repository_id: source?.id ?? 0, sha: String(tip?.sha) })
  if (commit) {
    const tree = fieldsOf(records.trees?.find({ sha: String(commit.tree_sha) }))
    records.trees?.create({ repository_id: made.body.id, sha: commit.tree_sha, files: tree.files } as never)
    const first = call('POST', `${at}/git/commits`, { message: 'Initial commit', tree: commit.tree_sha, parents: [] })
    call('POST', `${at}/git/refs`, { ref: `refs/heads/${made.body.default_branch}`, sha: fieldsOf(first.body).sha })
  }
  records.repos?.update(made.body.id as number, { template_id: source?.id ?? null })
  return created(context, call('GET', at).body)
}

export const forks: Record<string, Handler> = {
  'POST /repos/{owner}/{repo}/merge-upstream': mergeUpstream,
  'POST /repos/{template_owner}/{template_repo}/generate': generate,
}
