import { chainOf, commitNamed } from './compare.ts'
import { type Fields, type GitHubRequest, type Operations, SITE, textOf } from './github.ts'
import { commitOf } from './show-git.ts'
import { toAsset, toRelease } from './show-release.ts'

const REPO = '/repos/{owner}/{repo}'
const RELEASES = `${REPO}/releases`
const ONE = `${RELEASES}/{release_id}`
const ASSET = `${RELEASES}/assets/{asset_id}`

const mayPush = ({ role }: GitHubRequest): boolean => !['none', 'pull', 'read', 'triage'].includes(role)

const releasesOf = ({ records, repo }: GitHubRequest): Fields[] =>
  records.releases.where({ repository_id: repo.id ?? null })

/** A release of its own. Its files are uploaded to the simulation, not to another host. */
const show = (github: GitHubRequest, release: Fields): Fields => ({
  ...toRelease(github, release),
  upload_url: `${github.of.origin}/repos/${github.repo.full_name}/releases/${release.id}/assets{?name,label}`,
})

const releaseOf = (github: GitHubRequest): Fields => {
  const release = github.find('releases', github.path.release_id, { repository_id: github.repo.id ?? null })
  return release.draft === true && !mayPush(github) ? github.gone() : release
}

const happen = (github: GitHubRequest, action: string, release: Fields, extra: Fields = {}): void =>
  github.happen(github.repo, `release.${action}`, { action, release: toRelease(github, release), ...extra })

const makeLatest = ({ records, repo }: GitHubRequest, { id = null }: Fields): void => {
  records.repos.update(repo.id as number, { latest_release: id })
}

/** Shows a release to everybody, with a tag where there is none. */
function publish(github: GitHubRequest, release: Fields): void {
  const { repo, records, body } = github
  const { tag_name, target_commitish, prerelease } = release
  if (prerelease !== true && body.make_latest !== 'false') makeLatest(github, release)
  const ref = `refs/tags/${tag_name}`
  const tip = commitNamed(github, repo, textOf(target_commitish))
  if (tip !== undefined && !records.refs.some({ repository_id: repo.id ?? null, ref }))
    github.of.call('POST', `/repos/${repo.full_name}/git/refs`, { ref, sha: tip.sha })
  happen(github, 'published', release)
  happen(github, prerelease === true ? 'prereleased' : 'released', release)
}

/** What pull requests have brought since the last release. https://docs.github.com/rest/releases/releases#generate-release-notes-content-for-a-release */
function notesOf(github: GitHubRequest): string {
  const { repo, records, body } = github
  const { tag_name, previous_tag_name } = body
  const repository_id = repo.id ?? null
  const last = releasesOf(github).find(
    (one) =>
      one.draft === false &&
      one.tag_name !== tag_name &&
      (previous_tag_name == null || one.tag_name === previous_tag_name),
  )
  const ref = last && records.refs.find({ repository_id, ref: `refs/tags/${last.tag_name}` })
  const released = new Set([ref?.sha, ...chainOf(commitOf(github, repository_id, ref?.sha))])
  const site = `${SITE}/${repo.full_name}`
  const lines = records.pulls
    .where({ repository_id, merged: true })
    .toReversed()
    .filter(({ merge_commit_sha }) => !released.has(merge_commit_sha ?? ''))
    .map(({ issue_id, number }) => {
      const issue = records.issues.get(issue_id as number)
      const login = records.users.get(issue?.user_id as number)?.login
      return `* ${issue?.title} by @${login} in ${site}/pull/${number}\n`
    })
  const changelog = last === undefined ? `commits/${tag_name}` : `compare/${last.tag_name}...${tag_name}`
  return `## What's Changed\n${lines.join('')}\n**Full Changelog**: ${site}/${changelog}`
}

function create(github: GitHubRequest): object {
  const { repo, body, actorId, time, records } = github
  const { tag_name = null, target_commitish, draft = false, prerelease = false, generate_release_notes } = body
  const target = textOf(target_commitish ?? repo.default_branch)
  const isTagged = records.refs.some({ repository_id: repo.id ?? null, ref: `refs/tags/${tag_name}` })
  if (releasesOf(github).some((one) => one.tag_name === tag_name && one.draft === false))
    github.invalid({ resource: 'Release', field: 'tag_name', code: 'already_exists' })
  if (target_commitish && !isTagged && commitNamed(github, repo, target) === undefined)
    github.invalid({ resource: 'Release', field: 'target_commitish', code: 'invalid' })
  const notes = generate_release_notes === true ? notesOf(github) : undefined
  const release = records.releases.create({
    ...{ repository_id: repo.id ?? null, tag_name, target_commitish: target, draft, prerelease, author_id: actorId },
    ...{ name: body.name ?? (notes === undefined ? null : tag_name), created_at: time },
    ...{ body: notes === undefined ? (body.body ?? null) : [body.body, notes].filter(Boolean).join('\n\n') },
    published_at: draft === true ? null : time,
  })
  happen(github, 'created', release)
  if (draft !== true) publish(github, release)
  return github.created(show(github, release))
}

function change(github: GitHubRequest): Fields {
  const before = releaseOf(github)
  const { body, records, time } = github
  const isPublished = before.draft === true && body.draft === false
  const fields = { tag_name: '', target_commitish: '', name: '', body: '', draft: true, prerelease: true }
  const release = records.releases.update(before.id as number, {
    ...github.sent(fields),
    ...(isPublished && { published_at: time }),
  })
  if (isPublished) publish(github, release)
  if (body.make_latest === 'true') makeLatest(github, release)
  const changed = ['name', 'body'].filter((name) => body[name] && body[name] !== before[name])
  const changes = Object.fromEntries(changed.map((name) => [name, { from: before[name] ?? null }]))
  if (changed.length > 0) happen(github, 'edited', release, { changes })
  return show(github, release)
}

/** The release that a repository shows as the latest. */
function latest(github: GitHubRequest): Fields {
  const found = releasesOf(github).filter(({ draft, prerelease }) => draft === false && prerelease === false)
  const chosen = found.find(({ id }) => id === github.repo.latest_release) ?? found[0]
  return chosen === undefined ? github.gone() : show(github, chosen)
}

function upload(github: GitHubRequest): object {
  const release = releaseOf(github)
  const { records, query, actorId, time, of } = github
  const { name = null, label = null } = query
  const { id: release_id = null, repository_id = null } = release
  if (records.assets.some({ release_id, name }))
    github.invalid({ resource: 'ReleaseAsset', field: 'name', code: 'already_exists' })
  const [file] = of.files
  const asset = records.assets.create({
    ...{ repository_id, release_id, name, label, uploader_id: actorId, created_at: time },
    content_type: of.headers['content-type'] ?? 'application/octet-stream',
    ...{ size: Number(of.headers['content-length'] ?? 0), base64: file?.base64 ?? '' },
  })
  return github.created(toAsset(github, asset))
}

const assetOf = (github: GitHubRequest): Fields =>
  github.find('assets', github.path.asset_id, { repository_id: github.repo.id ?? null })

/** An asset, or its content for `Accept: application/octet-stream`. */
function readAsset(github: GitHubRequest): object {
  const asset = assetOf(github)
  const [accept = ''] = textOf(github.of.headers.accept).split(/[,;]/)
  if (!accept.includes('octet-stream')) return toAsset(github, asset)
  const body = new Uint8Array(Buffer.from(textOf(asset.base64), 'base64'))
  return github.of.respond({ status: 200, headers: { 'Content-Type': accept.trim() }, body })
}

export const releases: Operations = {
  [`GET ${RELEASES}`]: (github) => {
    const isFull = mayPush(github)
    const found = releasesOf(github).filter(({ draft }) => isFull || draft !== true)
    return github.page(found, (release) => toRelease(github, release))
  },
  [`POST ${RELEASES}`]: create,
  [`GET ${RELEASES}/latest`]: latest,
  [`GET ${RELEASES}/tags/{tag}`]: (github) => {
    const found = releasesOf(github).find((one) => one.tag_name === github.path.tag && one.draft === false)
    return found === undefined ? github.gone() : show(github, found)
  },
  [`POST ${RELEASES}/generate-notes`]: (github) => {
    const body = notesOf(github)
    return { name: github.body.tag_name ?? null, body }
  },
  [`GET ${ONE}`]: (github) => show(github, releaseOf(github)),
  [`PATCH ${ONE}`]: change,
  [`DELETE ${ONE}`]: (github) => {
    const release = releaseOf(github)
    happen(github, 'deleted', release)
    github.records.releases.remove(release.id as number)
    return github.empty
  },
  [`GET ${ONE}/assets`]: (github) => {
    const found = github.records.assets.where({ release_id: releaseOf(github).id ?? null }).toReversed()
    return github.page(found, (asset) => toAsset(github, asset))
  },
  [`POST ${ONE}/assets`]: upload,
  [`GET ${ASSET}`]: readAsset,
  [`PATCH ${ASSET}`]: (github) => {
    const { id, name: before = null, label: labelBefore = null } = assetOf(github)
    const { name, label } = github.body
    const fields = { name: name ?? before, label: label ?? labelBefore }
    return toAsset(github, github.records.assets.update(id as number, fields))
  },
  [`DELETE ${ASSET}`]: (github) => {
    github.records.assets.remove(assetOf(github).id as number)
    return github.empty
  },
}
