import { toTexts } from './markdown.ts'
import { BOT, type Fields, fieldsOf, type Kept, listOf, type Notion, type Operations, uuidOf } from './notion.ts'
import { toFile, toRichText } from './rich-text.ts'

/** A comment without the id of its page, which events have. */
const shown = ({ page_id: _, ...comment }: Kept): Fields => comment

/** What a new comment is on: the parent and the discussion. */
function toPlace(notion: Notion): Fields {
  const { parent, discussion_id: of } = notion.body
  if (of !== undefined) {
    const first = notion.records.comments.find({ discussion_id: uuidOf(of) })
    if (first === undefined) notion.of.refuse(404, { code: 'not_found', message: 'Could not find discussion.' })
    const { parent = null, discussion_id = null, page_id = null } = { ...first }
    return { parent, discussion_id, page_id }
  }
  const { page_id, block_id } = fieldsOf(parent)
  if (page_id !== undefined) {
    const { id } = notion.find('pages', page_id)
    return { parent: { type: 'page_id', page_id: id }, page_id: id }
  }
  if (block_id === undefined)
    return notion.invalid('body failed validation: body.parent or body.discussion_id should be defined.')
  const { id, ...block } = notion.find('blocks', block_id)
  let above = fieldsOf(block.parent)
  while (above.page_id === undefined) above = fieldsOf(notion.find('blocks', above.block_id).parent)
  return { parent: { type: 'block_id', block_id: id }, page_id: above.page_id }
}

function textsOf(notion: Notion): Fields[] {
  const { markdown, rich_text = null } = notion.body
  return toRichText(notion, typeof markdown === 'string' ? toTexts(markdown) : rich_text, 'rich_text')
}

const CATEGORIES = ['audio', 'image', 'video', 'pdf']
/** Most files of one comment. */
const MOST = 3

/** The uploads of a comment, as it shows them. */
function attachmentsOf(notion: Notion): Fields[] {
  const given = listOf(notion.body.attachments)
  if (given.length > MOST) notion.unfit('attachments.length', `≤ \`${MOST}\``, given.length)
  return given.map(({ file_upload_id: id = '' }) => {
    const { file = null } = fieldsOf(toFile(notion, { file_upload: { id } }))
    const type = String(notion.find('file_uploads', id).content_type)
    return { category: CATEGORIES.find((name) => type.includes(name)) ?? 'productivity', file }
  })
}

/** Causes the event of a comment. @returns it as the API shows it */
function tell(notion: Notion, verb: string, comment: Kept): Fields {
  const { page_id: page, block_id } = fieldsOf(comment.parent)
  const parent = { id: page ?? block_id ?? null, type: page === undefined ? 'block' : 'page' }
  notion.happen(`comment.${verb}`, comment.id, { page_id: comment.page_id ?? null, parent })
  return shown(comment)
}

export const comments: Operations = {
  'POST /v1/comments': (notion) => {
    const place = toPlace(notion)
    const { custom, type = 'integration' } = fieldsOf(notion.body.display_name)
    const display_name = { type, resolved_name: fieldsOf(custom).name ?? 'Backlot' }
    const times = { created_time: notion.time, last_edited_time: notion.time, created_by: BOT }
    const attachments = attachmentsOf(notion)
    const files = attachments.length > 0 && { attachments }
    const facts = { object: 'comment', ...place, ...times, rich_text: textsOf(notion), display_name, ...files }
    const comment = notion.records.comments.create(facts)
    // A discussion has the id of its first comment, with another version of UUID.
    const { discussion_id = comment.id.replace(/^(.{14})./, '$18') } = place
    return tell(notion, 'created', notion.records.comments.update(comment, { discussion_id }))
  },
  'GET /v1/comments': (notion) => {
    const id = uuidOf(notion.query.block_id) ?? ''
    const found = notion.records.comments.where(({ parent }) => Object.values(fieldsOf(parent)).includes(id))
    return notion.page('comment', found.toReversed(), shown)
  },
  'GET /v1/comments/{comment_id}': (notion) => shown(notion.find('comments')),
  'PATCH /v1/comments/{comment_id}': (notion) => {
    const change = { rich_text: textsOf(notion), last_edited_time: notion.time }
    return tell(notion, 'updated', notion.records.comments.update(notion.find('comments'), change))
  },
  'DELETE /v1/comments/{comment_id}': (notion) => {
    const comment = notion.find('comments')
    notion.records.comments.remove(comment)
    return tell(notion, 'deleted', comment)
  },
}
