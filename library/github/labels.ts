import { lacking } from './compare.ts'
import {
  type Fields,
  fieldsOf,
  type GitHubRequest,
  idsOf,
  type Json,
  type Operations,
  sorted,
  textOf,
} from './github.ts'
import { freshIssue, issueOf, labelIdsOf, recordsOf, setLabels } from './issue-changes.ts'
import { toLabel } from './show-issue.ts'

const LABELS = '/repos/{owner}/{repo}/labels'
const ON_ISSUE = '/repos/{owner}/{repo}/issues/{issue_number}/labels'

const keyOf = (name: Json | undefined): string => textOf(name).toLowerCase()

const labelsOf = (github: GitHubRequest, { label_ids }: Fields): Fields[] => recordsOf(github, 'labels', label_ids)

const showLabels = (github: GitHubRequest, issue: Fields): Fields[] =>
  labelsOf(github, freshIssue(github, issue)).map((label) => toLabel(github, label))

const labelNamed = ({ records, repo }: GitHubRequest, name: Json | undefined): Fields | undefined =>
  records.labels.find({ repository_id: repo.id ?? null, key: keyOf(name) })

const labelOf = (github: GitHubRequest): Fields => labelNamed(github, github.path.name) ?? github.gone()

/** The labels of a body, which is a list of names or has one. New ones are made. */
function labelsOfBody(github: GitHubRequest): Json[] {
  const body: unknown = github.of.body
  return labelIdsOf(github, github.repo, Array.isArray(body) ? body : fieldsOf(body).labels)
}

const taken = (github: GitHubRequest): never =>
  github.invalid({ resource: 'Label', field: 'name', code: 'already_exists' })

/** A colour as labels have it: six digits, or three. */
function colorOf(github: GitHubRequest): string | undefined {
  const { color } = github.body
  if (color === undefined || color === null || color === '') return undefined
  const [, digits] = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(textOf(color)) ?? []
  return digits?.toLowerCase() ?? github.invalid({ resource: 'Label', field: 'color', code: 'invalid' })
}

export const labels: Operations = {
  [`GET ${ON_ISSUE}`]: (github) => github.page(labelsOf(github, issueOf(github)), (label) => toLabel(github, label)),
  [`POST ${ON_ISSUE}`]: (github) => {
    const issue = issueOf(github)
    setLabels(github, issue, [...new Set([...idsOf(issue.label_ids), ...labelsOfBody(github)])])
    return showLabels(github, issue)
  },
  [`PUT ${ON_ISSUE}`]: (github) => {
    const issue = issueOf(github)
    setLabels(github, issue, labelsOfBody(github))
    return showLabels(github, issue)
  },
  [`DELETE ${ON_ISSUE}`]: (github) => {
    setLabels(github, issueOf(github), [])
    return github.empty
  },
  [`DELETE ${ON_ISSUE}/{name}`]: (github) => {
    const issue = issueOf(github)
    const label = labelNamed(github, github.path.name)
    const ids = idsOf(issue.label_ids)
    const id = label?.id ?? 0
    if (!ids.includes(id)) github.refuse(404, 'Label does not exist')
    setLabels(github, issue, lacking(ids, [id]))
    return showLabels(github, issue)
  },
  [`GET ${LABELS}`]: (github) => {
    const all = github.records.labels.where({ repository_id: github.repo.id ?? null })
    return github.page(sorted(all, 'key'), (label) => toLabel(github, label))
  },
  [`POST ${LABELS}`]: (github) => {
    const { repo, records, body } = github
    const { name = '', description = null } = body
    if (labelNamed(github, name)) taken(github)
    const color = colorOf(github) ?? 'ededed'
    const fields = { repository_id: repo.id, name, key: keyOf(name), color, description, default: false }
    const label = toLabel(github, records.labels.create(fields))
    github.happen(repo, 'label.created', { action: 'created', label })
    return github.created(label)
  },
  [`GET ${LABELS}/{name}`]: (github) => toLabel(github, labelOf(github)),
  [`PATCH ${LABELS}/{name}`]: (github) => {
    const { repo, records, body } = github
    const before = labelOf(github)
    const { new_name: name = before.name ?? null, description } = body
    const other = labelNamed(github, name)
    if (other !== undefined && other.id !== before.id) taken(github)
    const color = colorOf(github)
    const fields = { name, key: keyOf(name), color, description }
    const label = toLabel(github, records.labels.update(before.id as number, fields))
    const changes = {
      ...(body.new_name != null && { name: { from: before.name ?? null } }),
      ...(color !== undefined && { color: { from: before.color ?? null } }),
      ...(description != null && { description: { from: before.description ?? null } }),
    }
    github.happen(repo, 'label.edited', { action: 'edited', label, changes })
    return label
  },
  [`DELETE ${LABELS}/{name}`]: (github) => {
    const { repo, records } = github
    const label = labelOf(github)
    const shown = toLabel(github, label)
    for (const issue of records.issues.where({ repository_id: repo.id ?? null })) {
      const label_ids = lacking(idsOf(issue.label_ids), [label.id ?? null])
      if (label_ids.length < idsOf(issue.label_ids).length) records.issues.update(issue.id as number, { label_ids })
    }
    records.labels.remove(label.id as number)
    github.happen(repo, 'label.deleted', { action: 'deleted', label: shown })
    return github.empty
  },
}
