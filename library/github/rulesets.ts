import {
  API,
  type Fields,
  fieldsOf,
  type GitHubRequest,
  listOf,
  nodeId,
  type Operations,
  SITE,
  textOf,
  textsOf,
  without,
} from './github.ts'

const REPO = '/repos/{owner}/{repo}'
const FORM = { name: '', target: '', enforcement: '', bypass_actors: [], conditions: {}, rules: [] }

/** Whose rulesets they are. */
interface Owner {
  readonly source: string
  readonly source_type: 'Repository' | 'Organization'
}

const ofRepo = ({ repo }: GitHubRequest): Owner => ({ source: textOf(repo.full_name), source_type: 'Repository' })
const ofOrg = ({ organization }: GitHubRequest): Owner => ({
  ...{ source: textOf(organization.login), source_type: 'Organization' },
})

/** Administrators pass a ruleset that names their role, which has the id 5. */
const isPassed = ({ actor_type, actor_id }: Fields): boolean =>
  actor_type === 'OrganizationAdmin' || (actor_type === 'RepositoryRole' && actor_id === 5)

function show(ruleset: Fields): Fields {
  const { id = null, source, source_type } = ruleset
  const isRepos = source_type === 'Repository'
  const [api, page] = isRepos
    ? [`repos/${source}`, `${source}/rules`]
    : [`orgs/${source}`, `organizations/${source}/settings/rules`]
  return {
    ...{ ...ruleset, node_id: nodeId(isRepos ? 'RRS_' : 'ORS_', id) },
    _links: { self: { href: `${API}/${api}/rulesets/${id}` }, html: { href: `${SITE}/${page}/${id}` } },
    current_user_can_bypass: listOf(ruleset.bypass_actors).some(isPassed) ? 'always' : 'never',
  }
}

function create(github: GitHubRequest, owner: Owner): object {
  const { records, now } = github
  const { source } = owner
  const sent = github.sent(FORM)
  if (records.rulesets.some({ source, name: sent.name ?? null })) github.custom('Ruleset', 'Name must be unique')
  const time = now.toISOString()
  const usual = { target: 'branch', bypass_actors: [], conditions: {}, rules: [] }
  return github.created(
    show(records.rulesets.create({ ...usual, ...sent, ...owner, created_at: time, updated_at: time })),
  )
}

/** The operations on rulesets of repositories, or of organizations. https://docs.github.com/rest/repos/rules */
function rulesetsOf(at: string, ownerOf: (github: GitHubRequest) => Owner): Operations {
  const one = `${at}/{ruleset_id}`
  const found = (github: GitHubRequest): Fields =>
    github.find('rulesets', Number(github.path.ruleset_id), { source: ownerOf(github).source })
  return {
    [`GET ${at}`]: (github) => {
      const all = github.records.rulesets.where({ source: ownerOf(github).source })
      return github.page(all.toReversed(), (ruleset) => without(show(ruleset), 'rules conditions bypass_actors'))
    },
    [`POST ${at}`]: (github) => create(github, ownerOf(github)),
    [`GET ${one}`]: (github) => show(found(github)),
    [`PUT ${one}`]: (github) => {
      const { id } = found(github)
      const fields = { ...github.sent(FORM), updated_at: github.now.toISOString() }
      return show(github.records.rulesets.update(id as number, fields))
    },
    [`DELETE ${one}`]: (github) => {
      github.records.rulesets.remove(found(github).id as number)
      return github.empty
    },
  }
}

/** The rules of active rulesets for the branch of the path. */
function rulesOfBranch(github: GitHubRequest): object {
  const { repo, records, path } = github
  const ref = `refs/heads/${path.branch}`
  const names = ['~ALL', ref, ...(repo.default_branch === path.branch ? ['~DEFAULT_BRANCH'] : [])]
  const sources = [textOf(repo.full_name), textOf(repo.full_name).split('/')[0]]
  const active = records.rulesets
    .where({ enforcement: 'active', target: 'branch' })
    .filter(({ source, conditions }) => {
      const { include, exclude } = fieldsOf(fieldsOf(conditions).ref_name)
      const isIn = textsOf(include).some((name) => names.includes(name)) && !textsOf(exclude).includes(ref)
      return sources.includes(textOf(source)) && isIn
    })
  const rules = active.toReversed().flatMap((ruleset) =>
    listOf(ruleset.rules).map((rule) => ({
      ...{ ...rule, ruleset_source_type: ruleset.source_type ?? null, ruleset_source: ruleset.source ?? null },
      ruleset_id: ruleset.id ?? null,
    })),
  )
  return github.page(rules, (rule) => rule)
}

export const rulesets: Operations = {
  ...rulesetsOf(`${REPO}/rulesets`, ofRepo),
  ...rulesetsOf('/orgs/{org}/rulesets', ofOrg),
  [`GET ${REPO}/rules/branches/{branch}`]: rulesOfBranch,
}
