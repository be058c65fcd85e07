import {
  type Fields,
  fieldsOf,
  type GitHubRequest,
  listOf,
  type Operations,
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

function create(github: GitHubRequest, owner: Owner): object {
  const { records, now } = github
  const { source } = owner
  const sent = github.sent(FORM)
  if (records.rulesets.some({ source, name: sent.name ?? null })) github.custom('Ruleset', 'Name must be unique')
  const time = now.toISOString()
  const usual = { target: 'branch', bypass_actors: [], conditions: {}, rules: [] }
  return github.created(records.rulesets.create({ ...usual, ...sent, ...owner, created_at: time, updated_at: time }))
}

/** The operations on rulesets of repositories, or of organizations. https://docs.github.com/rest/repos/rules */
function rulesetsOf(at: string, ownerOf: (github: GitHubRequest) => Owner): Operations {
  const one = `${at}/{ruleset_id}`
  const found = (github: GitHubRequest): Fields =>
    github.find('rulesets', Number(github.path.ruleset_id), { source: ownerOf(github).source })
  return {
    [`GET ${at}`]: (github) => {
      const all = github.records.rulesets.where({ source: ownerOf(github).source })
      return github.page(all.toReversed(), (ruleset) => without(ruleset, 'rules conditions bypass_actors'))
    },
    [`POST ${at}`]: (github) => create(github, ownerOf(github)),
    [`GET ${one}`]: (github) => ({ ...found(github) }),
    [`PUT ${one}`]: (github) => {
      const { id } = found(github)
      const fields = { ...github.sent(FORM), updated_at: github.now.toISOString() }
      return { ...github.records.rulesets.update(id as number, fields) }
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
