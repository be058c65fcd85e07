import type { Fields, GitHubRequest, Operations } from './github.ts'
import { toGistComment } from './show-release.ts'

const AT = '/gists/{gist_id}/comments'
const ONE = `${AT}/{comment_id}`

/** The gist of the path, as its comments name it. */
const ofGist = (github: GitHubRequest): Fields => {
  const gist = github.records.gists.find({ key: github.path.gist_id ?? '' }) ?? github.gone()
  return { gist_id: gist.id ?? null }
}

const found = (github: GitHubRequest): Fields =>
  github.find('gist_comments', Number(github.path.comment_id), ofGist(github))

export const gistComments: Operations = {
  [`GET ${AT}`]: (github) =>
    github.page(github.records.gist_comments.where(ofGist(github)).toReversed(), (comment) =>
      toGistComment(github, comment),
    ),
  [`POST ${AT}`]: (github) => {
    const fields = { ...ofGist(github), user_id: github.me.id ?? null, ...github.sent({ body: '' }) }
    return github.created(toGistComment(github, github.create('gist_comments', fields)))
  },
  [`GET ${ONE}`]: (github) => toGistComment(github, found(github)),
  [`PATCH ${ONE}`]: (github) =>
    toGistComment(github, github.update('gist_comments', found(github), github.sent({ body: '' }))),
  [`DELETE ${ONE}`]: (github) => {
    github.records.gist_comments.remove(found(github).id as number)
    return github.empty
  },
}
