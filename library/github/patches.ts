import type { JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { allOf, filled, type Handler } from './answers.ts'

const REPO = '/repos/{owner}/{repo}'

const diffOf = (files: readonly JsonObject[]): string =>
  files
    .map(({ filename, status, patch = '' }) => {
      const [isNew, isGone] = [status === 'added', status === 'removed']
      const mode = isNew ? 'new file mode 100644\n' : isGone ? 'deleted file mode 100644\n' : ''
      const [old, fresh] = [isNew ? '/dev/null' : `a/${filename}`, isGone ? '/dev/null' : `b/${filename}`]
      return `diff --git a/${filename} b/${filename}\n${mode}--- ${old}\n+++ ${fresh}\n${patch}\n`
    })
    .join('')

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A commit as `git format-patch` writes it. */
function mailOf(shown: JsonObject, files: readonly JsonObject[], part: string): string {
  const { author, message } = fieldsOf(shown.commit)
  const { name, email, date } = fieldsOf(author)
  const [subject, ...body] = String(message).split('\n')
  const total = (field: string) => files.reduce((sum, file) => sum + Number(file[field]), 0)
  const [added, removed] = [total('additions'), total('deletions')]
  const changes = [
    `${counted(files.length, 'file')} changed`,
    ...(added > 0 ? [`${counted(added, 'insertion')}(+)`] : []),
    ...(removed > 0 ? [`${counted(removed, 'deletion')}(-)`] : []),
  ]
  const stat = files.map((file) => ` ${file.filename} | ${file.changes} ${signs(file)}`)
  const sentAt = new Date(String(date)).toUTCString().replace('GMT', '+0000')
  const head = `From ${shown.sha} Mon Sep 17 00:00:00 2001\nFrom: ${name} <${email}>\nDate: ${sentAt}\nSubject: [PATCH${part}] ${subject}\n`
  return `${head}${body.join('\n')}\n---\n${stat.join('\n')}\n ${changes.join(', ')}\n\n${diffOf(files)}`
}

const signs = ({ additions, deletions }: JsonObject): string =>
  '+'.repeat(Number(additions)) + '-'.repeat(Number(deletions))

/**
 * Diffs and patches instead of JSON, where `Accept` asks for them.
 * https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#media-types
 */
const changes =
  (at: string, listsOf: (path: string) => { files: string; commits?: string }): Handler =>
  (context) => {
    const [accept = ''] = String(context.headers.accept ?? '').split(',')
    const form = ['diff', 'patch'].find((word) => accept.split(/[./+;]/).includes(word))
    if (form === undefined) return undefined
    const path = filled(context, at)
    const { status, body } = context.call('GET', path)
    if (status >= 400) return undefined
    const { files, commits } = listsOf(path)
    const filesAt = (url: string): JsonObject[] => {
      const { body: shown } = context.call('GET', `${url}?per_page=100`)
      return listOf(Array.isArray(shown) ? shown : fieldsOf(shown).files)
    }
    const all = commits === undefined ? listOf(body.commits ?? [body]) : allOf(context, commits)
    const repo = filled(context, REPO)
    const mails = () =>
      all.map((one, index) =>
        mailOf(one, filesAt(`${repo}/commits/${one.sha}`), all.length === 1 ? '' : ` ${index + 1}/${all.length}`),
      )
    const text = form === 'diff' ? diffOf(filesAt(files)) : mails().join('\n')
    const type = `application/vnd.github.v3.${form}; charset=utf-8`
    return context.respond({ status: 200, headers: { 'content-type': type }, body: text })
  }

export const patches: Record<string, Handler> = {
  [`GET ${REPO}/commits/{ref}`]: changes(`${REPO}/commits/{ref}`, (path) => ({ files: path })),
  [`GET ${REPO}/compare/{basehead}`]: changes(`${REPO}/compare/{basehead}`, (path) => ({ files: path })),
  [`GET ${REPO}/pulls/{pull_number}`]: changes(`${REPO}/pulls/{pull_number}`, (path) => ({
    files: `${path}/files`,
    commits: `${path}/commits`,
  })),
}
