import { commitNamed } from './compare.ts'
import { directoryOf } from './files.ts'
import { type Fields, fieldsOf, type GitHubRequest, type Json, listOf, type Operations, textOf } from './github.ts'
import { languages } from './languages.ts'
import { blobSha, writeFiles } from './push.ts'
import { contentOf, filesOf, toContent, toGitCommit } from './show-git.ts'

const REPO = '/repos/{owner}/{repo}'
const AT = `${REPO}/contents/{path}`

/** The files of a revision. @param rev @default the default branch */
function filesAt(github: GitHubRequest, rev: Json | undefined) {
  const { repo } = github
  const name = textOf(rev ?? repo.default_branch)
  const commit = commitNamed(github, repo, name)
  return { rev: name, commit, files: listOf(filesOf(github, commit?.tree_sha)) }
}

/** A file with its text, or the text alone where `Accept` asks for `raw`. */
function showFile(github: GitHubRequest, rev: string, file: Fields): object {
  const content = contentOf(github, file.sha)
  if (github.accepts('raw')) return github.file(content)
  return { ...toContent(github.repo.full_name ?? null, rev, file), content: `${content}\n`, encoding: 'base64' }
}

const listFolder = (github: GitHubRequest, rev: string, items: readonly Fields[]): object =>
  items.map((item) => toContent(github.repo.full_name ?? null, rev, item))

function read(github: GitHubRequest): object {
  const { query } = github
  const { rev, commit, files } = filesAt(github, query.ref)
  const path = textOf(github.path.path)
  if (query.ref !== undefined && commit === undefined) github.refuse(404, `No commit found for the ref ${rev}`)
  const file = files.find((one) => one.path === path)
  if (file) return showFile(github, rev, file)
  const listed = listOf(directoryOf(files, path, false))
  return listed.length === 0 ? github.gone() : listFolder(github, rev, listed)
}

function readRoot(github: GitHubRequest): object {
  const { query } = github
  const { rev, commit, files } = filesAt(github, query.ref)
  if (commit === undefined) github.refuse(404, query.ref === undefined ? 'This repository is empty.' : 'Not Found')
  return listFolder(github, rev, listOf(directoryOf(files, '', false)))
}

/** The commit of a change of a file: who made it, on which branch, and the file that is there. */
function changeAt(github: GitHubRequest) {
  const { body, query, repo } = github
  const sent = github.sent({ author: {}, committer: {}, branch: '', sha: '', message: '' })
  const path = textOf(github.path.path)
  const { rev, commit, files } = filesAt(github, sent.branch ?? query.branch)
  return {
    ...{ repo, rev, commit, path, existing: files.find((one) => one.path === path) },
    sha: body.sha ?? query.sha,
    message: body.message ?? query.message,
    by: {
      author: sent.author || sent.committer ? fieldsOf(sent.author ?? sent.committer) : undefined,
      committer: fieldsOf(sent.committer),
    },
  }
}

/** https://docs.github.com/rest/repos/contents#create-or-update-file-contents */
function write(github: GitHubRequest): object {
  const { repo, rev, commit, path, existing, sha, message, by } = changeAt(github)
  const content = textOf(github.body.content).replaceAll('\n', '')
  if (commit === undefined && rev !== repo.default_branch) github.refuse(404, `Branch ${rev} not found`)
  if (!/^[\w+/=\s-]*$/.test(content)) github.refuse(422, 'content is not valid Base64')
  if (existing && sha == null) github.refuse(422, 'Invalid request.\n\n"sha" wasn\'t supplied.')
  if (existing && sha !== existing.sha) github.refuse(409, `${path} does not match ${sha}`)
  const writes = [{ path, content }]
  const made = writeFiles(github, repo, { ref: `refs/heads/${rev}`, writes, message: message ?? null, ...by })
  const file = { path, sha: blobSha(content), size: Buffer.from(content, 'base64').length }
  return github.of.respond({
    status: existing ? 200 : 201,
    body: { content: toContent(repo.full_name ?? null, rev, file), commit: toGitCommit(github, made) },
  })
}

/** https://docs.github.com/rest/repos/contents#delete-a-file */
function remove(github: GitHubRequest): object {
  const { repo, rev, path, existing, sha, message, by } = changeAt(github)
  if (existing === undefined) return github.gone()
  if (message == null) github.invalid({ resource: 'Commit', field: 'message', code: 'missing_field' })
  if (sha == null) github.refuse(422, 'Invalid request.\n\n"sha" wasn\'t supplied.')
  if (sha !== existing.sha) github.refuse(409, `${path} does not match ${sha}`)
  const commit = writeFiles(github, repo, {
    ref: `refs/heads/${rev}`,
    writes: [{ path }],
    message: message ?? null,
    ...by,
  })
  return { content: null, commit: toGitCommit(github, commit) }
}

export const contents: Operations = {
  [`GET ${AT}`]: read,
  [`GET ${REPO}/contents`]: readRoot,
  [`PUT ${AT}`]: write,
  [`DELETE ${AT}`]: remove,
  [`GET ${REPO}/readme`]: (github) => {
    const { rev, files } = filesAt(github, github.query.ref)
    const file = files.find(({ path }) => textOf(path).toLowerCase().includes('readme'))
    return file ? showFile(github, rev, file) : github.gone()
  },
  [`GET ${REPO}/languages`]: (github) => languages(filesAt(github, undefined).files),
}
