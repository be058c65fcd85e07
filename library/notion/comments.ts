import { fieldsOf } from '../openai/context.ts'
import { BOT, type Context, type Fields, find, happen, invalid, type Kept, timeOf, toPage, uuidOf } from './context.ts'
import { toRichText } from './rich-text.ts'

/** A comment without the id of its page, which events have. */
const shown = ({ page_id: _, ...comment }: Kept): Fields => comment

/** What a new comment is on: the parent and the discussion. */
function toPlace(context: Context): Fields {
  const { parent, discussion_id } = context.body
  if (discussion_id !== undefined) {
    const first = context.records.comments.find({ discussion_id: uuidOf(discussion_id) })
    if (first === undefined) return context.refuse(404, { code: 'not_found', message: 'Could not find discussion.' })
    return { parent: first.parent ?? null, discussion_id: first.discussion_id ?? null, page_id: first.page_id ?? null }
  }
  const { page_id, block_id } = fieldsOf(parent)
  if (page_id !== undefined) {
    const { id } = find(context, 'pages', page_id)
    return { parent: { type: 'page_id', page_id: id }, page_id: id }
  }
  if (block_id === undefined)
    return invalid(context, 'body failed validation: body.parent or body.discussion_id should be defined.')
  const { id, ...block } = find(context, 'blocks', block_id)
  let above = fieldsOf(block.parent)
  while (above.page_id === undefined) above = fieldsOf(find(context, 'blocks', above.block_id).parent)
  return { parent: { type: 'block_id', block_id: id }, page_id: above.page_id }
}

function textsOf(context: Context): Fields[] {
  const { rich_text, markdown } = context.body
  if (markdown !== undefined) return invalid(context, 'Comments in Markdown are not read here. Send rich_text.')
  return toRichText(context, rich_text ?? null, 'rich_text')
}

const factsOf = ({ parent, page_id = null }: Kept): Fields => {
  const { page_id: page, block_id } = fieldsOf(parent)
  const on = { id: page ?? block_id ?? null, type: page === undefined ? 'block' : 'page' }
  return { page_id, parent: on }
}

export const comments = {
  'POST /v1/comments': (context: Context) => {
    const place = toPlace(context)
    const time = timeOf(context)
    const { custom, type = 'integration' } = fieldsOf(context.body.display_name)
    const display_name = { type, resolved_name: fieldsOf(custom).name ?? 'Backlot' }
    const times = { created_time: time, last_edited_time: time, created_by: BOT }
    const facts = { object: 'comment', ...place, ...times, rich_text: textsOf(context), display_name }
    const comment = context.records.comments.create(facts)
    // A discussion has the id of its first comment, with another version of UUID.
    const { discussion_id = comment.id.replace(/^(.{14})./, '$18') } = place
    const kept = context.records.comments.update(comment.id, { discussion_id })
    happen(context, 'comment.created', comment.id, factsOf(comment))
    return shown(kept)
  },
  'GET /v1/comments': (context: Context) => {
    const id = uuidOf(context.query.block_id)
    const found = [...context.records.comments].filter(({ parent }) =>
      Object.values(fieldsOf(parent)).includes(id ?? ''),
    )
    return toPage(context, 'comment', found.toReversed(), shown)
  },
  'GET /v1/comments/{comment_id}': (context: Context) => shown(find(context, 'comments', context.path.comment_id)),
  'PATCH /v1/comments/{comment_id}': (context: Context) => {
    const comment = find(context, 'comments', context.path.comment_id)
    const change = { rich_text: textsOf(context), last_edited_time: timeOf(context) }
    happen(context, 'comment.updated', comment.id, factsOf(comment))
    return shown(context.records.comments.update(comment.id, change))
  },
  'DELETE /v1/comments/{comment_id}': (context: Context) => {
    const comment = find(context, 'comments', context.path.comment_id)
    context.records.comments.remove(comment.id)
    happen(context, 'comment.deleted', comment.id, factsOf(comment))
    return shown(comment)
  },
}
