import type { OperationContext } from '../../src/handlers.ts'
import { fieldsOf } from '../shared/values.ts'
import { filled, type Handler, isThere, paged, personOf, secondsOf } from './answers.ts'

export const REACTIONS = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes']

/** What reactions are of: its path and its collection. */
const SUBJECTS = [
  ['/issues/{issue_number}', 'issues'],
  ['/issues/comments/{comment_id}', 'comments'],
  ['/pulls/comments/{comment_id}', 'review_comments'],
  ['/comments/{comment_id}', 'commit_comments'],
  ['/releases/{release_id}', 'releases'],
] as const

const reactionsAt = ([below, subject_type]: (typeof SUBJECTS)[number]): Record<string, Handler> => {
  const at = `/repos/{owner}/{repo}${below}`
  const list = `${at}/reactions`
  const on =
    (act: (context: OperationContext, subject_id: number) => object): Handler =>
    (context) => {
      const { status, body } = context.call('GET', filled(context, at))
      return status < 400 ? act(context, Number(fieldsOf(body).id)) : isThere(context, false)
    }
  const show = ({ records, call }: OperationContext, id: unknown) => {
    const { user_id, content = null, created_at = null } = fieldsOf(records.reactions?.get(String(id)))
    const user = fieldsOf(call('GET', `/users/${records.users?.get(String(user_id))?.login}`).body)
    return {
      id: Number(id),
      node_id: Buffer.from(`REA_${id}`).toString('base64'),
      user: personOf(user),
      content,
      created_at,
    } as never
  }
  return {
    [`GET ${list}`]: on((context, subject_id) => {
      const { content } = context.query as { content?: string }
      const found = context.records.reactions?.where({ subject_type, subject_id, ...(content && { content }) }) ?? []
      return paged(
        context,
        list,
        found.toReversed().map(({ id }) => show(context, id)),
      )
    }),
    [`POST ${list}`]: on((context, subject_id) => {
      const { records, body, call, respond } = context
      const user_id = fieldsOf(call('GET', '/user').body).id ?? 4
      const repository_id = fieldsOf(call('GET', filled(context, '/repos/{owner}/{repo}')).body).id ?? 0
      const fields = { subject_type, subject_id, user_id, content: body.content }
      const found = records.reactions?.find(fields)
      const made = found ?? records.reactions?.create({ ...fields, repository_id, created_at: secondsOf(context) })
      return respond({ status: found ? 200 : 201, body: show(context, made?.id) })
    }),
    [`DELETE ${list}/{reaction_id}`]: on((context, subject_id) => {
      const id = Number(context.path.reaction_id)
      const isKnown = context.records.reactions?.some({ subject_type, subject_id, id }) === true
      if (isKnown) context.records.reactions?.remove(id)
      return isThere(context, isKnown)
    }),
  }
}

export const reactions: Record<string, Handler> = Object.assign({}, ...SUBJECTS.map(reactionsAt))
