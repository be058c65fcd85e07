import { type Fields, type GitHubRequest, type Operations, sent } from './github.ts'

const REPO = '/repos/{owner}/{repo}'
const ENVIRONMENT = `${REPO}/environments/{environment_name}`
const PUBLIC_KEY = {
  key_id: '568250167242549743',
  key: Buffer.from('backlot-public-key-of-32-bytes-0').toString('base64'),
}

const show = (record: Fields): Fields =>
  Object.fromEntries(
    Object.entries(sent(record, 'name value created_at updated_at visibility')).filter(([, value]) => value !== null),
  )

/** The repository of the path, which the caller may write to. */
function ownRepo(github: GitHubRequest): Fields {
  return ['none', 'pull', 'read', 'triage'].includes(github.role) ? github.gone() : github.repo
}

const ofRepo = (github: GitHubRequest): string => `repo${ownRepo(github).id}`
const ofBot = (github: GitHubRequest): string => `bot${ownRepo(github).id}`
const ofOrg = (github: GitHubRequest): string => `org${github.organization.id}`
const ofEnvironment = (github: GitHubRequest): string => {
  const test = { repository_id: ownRepo(github).id ?? null, name: github.path.environment_name ?? '' }
  return `env${(github.records.environments.find(test) ?? github.gone()).id}`
}

const NOUNS = { secrets: 'Secret', variables: 'Variable' }

/** The operations on secrets, or on variables, of what a path leads to. */
function stored(kind: 'secrets' | 'variables', list: string, scopeOf: (github: GitHubRequest) => string): Operations {
  const param = kind === 'secrets' ? 'secret_name' : 'name'
  const one = `${list}/{${param}}`
  const nameOf = ({ path, body }: GitHubRequest) => String(path[param] ?? body.name).toUpperCase()
  const find = (github: GitHubRequest): Fields | undefined =>
    github.records[kind].find({ scope: scopeOf(github), name: nameOf(github) })
  const found = (github: GitHubRequest): Fields => find(github) ?? github.gone()
  const set = (github: GitHubRequest): object => {
    const { body } = github
    const record = find(github)
    const name = String(body.name ?? nameOf(github)).toUpperCase()
    // https://docs.github.com/actions/security-for-github-actions/security-guides/using-secrets-in-github-actions
    if (name.startsWith('GITHUB_')) github.refuse(422, `${NOUNS[kind]} names must not start with GITHUB_.`)
    if (!/^[A-Z_]\w*$/.test(name))
      github.refuse(
        422,
        `${NOUNS[kind]} names can only contain alphanumeric characters ([a-z], [A-Z], [0-9]) or underscores (_). Spaces are not allowed. Must start with a letter ([a-z], [A-Z]) or underscores (_).`,
      )
    const fields = { ...sent(body, 'value visibility'), name }
    if (record) {
      github.update(kind, record, fields)
      return github.empty
    }
    github.create(kind, { ...fields, scope: scopeOf(github) })
    return github.created({})
  }
  return {
    [`GET ${list}`]: (github) =>
      github.pageIn(kind, github.records[kind].where({ scope: scopeOf(github) }).toReversed(), { show }),
    [`GET ${one}`]: (github) => show(found(github)),
    [`DELETE ${one}`]: (github) => {
      github.records[kind].remove(found(github).id as number)
      return github.empty
    },
    ...(kind === 'secrets'
      ? {
          [`GET ${list}/public-key`]: (github: GitHubRequest) => scopeOf(github) && PUBLIC_KEY,
          [`PUT ${one}`]: set,
        }
      : {
          [`POST ${list}`]: (github: GitHubRequest) =>
            find(github) ? github.refuse(409, 'Already exists - Variable already exists') : set(github),
          [`PATCH ${one}`]: (github: GitHubRequest) => found(github) && set(github),
        }),
  }
}

/** Secrets and variables of Actions, and secrets of Dependabot. */
export const secrets: Operations = {
  ...stored('secrets', `${REPO}/actions/secrets`, ofRepo),
  ...stored('variables', `${REPO}/actions/variables`, ofRepo),
  ...stored('secrets', `${REPO}/dependabot/secrets`, ofBot),
  ...stored('secrets', `${ENVIRONMENT}/secrets`, ofEnvironment),
  ...stored('variables', `${ENVIRONMENT}/variables`, ofEnvironment),
  ...stored('secrets', '/orgs/{org}/actions/secrets', ofOrg),
  ...stored('variables', '/orgs/{org}/actions/variables', ofOrg),
}
