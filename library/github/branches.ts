import { branchOf, commitNamed, compare } from './compare.ts'
import { API, type Fields, fieldsOf, type GitHubRequest, type Operations, sorted, textOf } from './github.ts'
import { protectionRules } from './links.ts'
import { mergeInto } from './push.ts'
import { toBranch, toCommit, toShortBranch } from './show-git.ts'

const REPO = '/repos/{owner}/{repo}'
const BRANCH = `${REPO}/branches/{branch}`

const found = (github: GitHubRequest): Fields =>
  branchOf(github, github.repo, github.path.branch) ?? github.refuse(404, 'Branch not found')

const protectedBranch = (github: GitHubRequest): Fields => {
  const branch = found(github)
  return branch.protected === true ? branch : github.refuse(404, 'Branch not protected')
}

const urlOf = ({ repo, path }: GitHubRequest): string =>
  `${API}/repos/${repo.full_name}/branches/${path.branch}/protection`

function protect(github: GitHubRequest): Fields {
  const branch = found(github)
  const rules = protectionRules({ body: github.body, url: urlOf(github) })
  github.records.refs.update(branch.id as number, { protected: true, rules })
  return { url: urlOf(github), ...rules }
}

function rename(github: GitHubRequest): object {
  const branch = found(github)
  const { repo, records, path } = github
  const { new_name = '' } = github.sent({ new_name: '' })
  if (branchOf(github, repo, new_name)) github.refuse(422, 'New branch name already exists')
  const renamed = records.refs.update(branch.id as number, { ref: `refs/heads/${new_name}` })
  if (repo.default_branch === path.branch) records.repos.update(repo.id as number, { default_branch: new_name })
  return github.created(toBranch(github, renamed))
}

/** https://docs.github.com/rest/branches/branches#merge-a-branch */
function merge(github: GitHubRequest): object {
  const { repo, body } = github
  const { base: to, head: from, commit_message } = body
  const base = commitNamed(github, repo, textOf(to)) ?? github.refuse(404, 'Base does not exist')
  const head = commitNamed(github, repo, textOf(from)) ?? github.refuse(404, 'Head does not exist')
  const { ahead, changed, clash } = compare(github, repo, { base, head })
  if (clash) github.refuse(409, 'Merge conflict')
  if (ahead.length === 0) return github.empty
  const message = commit_message ?? `Merge ${textOf(from)} into ${textOf(to)}`
  const parents = [base.sha ?? null, head.sha ?? null]
  const commit = mergeInto(github, repo, { ref: `refs/heads/${textOf(to)}`, base, changed, message, parents })
  return github.created(toCommit(github, commit))
}

export const branches: Operations = {
  [`GET ${REPO}/branches`]: (github) => {
    const { protected: isProtected } = github.query
    const heads = github.records.refs
      .where({ repository_id: github.repo.id ?? null })
      .filter(({ ref }) => textOf(ref).startsWith('refs/heads/'))
      .filter((branch) => isProtected === undefined || branch.protected === isProtected)
    return github.page(sorted(heads, 'ref'), (branch) => toShortBranch(github, branch))
  },
  [`GET ${BRANCH}`]: (github) => toBranch(github, found(github)),
  [`POST ${BRANCH}/rename`]: rename,
  [`GET ${BRANCH}/protection`]: (github) => {
    const { rules } = protectedBranch(github)
    return { url: urlOf(github), ...fieldsOf(rules) }
  },
  [`PUT ${BRANCH}/protection`]: protect,
  [`DELETE ${BRANCH}/protection`]: (github) => {
    github.records.refs.update(protectedBranch(github).id as number, { protected: false, rules: {} })
    return github.empty
  },
  [`POST ${REPO}/merges`]: merge,
}
