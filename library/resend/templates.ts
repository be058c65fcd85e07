import { type Fields, given, listOf, type Operations, only, type ResendRequest, shown, textsOf } from './resend.ts'

const ITEM = 'id name status alias published_at created_at updated_at'
/** What an email takes of a template. */
const CONTENT = 'subject html text from reply_to variables'
/** What a request sets as it is. */
const SENT = 'name html subject text alias from variables'

/** The fields of a version that is not published yet. */
const draft = (resend: ResendRequest): Fields => ({
  ...{ has_unpublished_versions: true, current_version_id: resend.id('ver_'), updated_at: resend.time },
})

/** Refuses an alias that another template has. */
function checkAlias(resend: ResendRequest, own?: string): void {
  const { alias } = resend.body
  if (alias && resend.records.templates.where({ alias }).some(({ id }) => id !== own))
    resend.refuse({ message: `The alias ${alias} is taken.` })
}

export const templates: Operations = {
  'POST /templates': (resend) => {
    resend.need('name', 'html')
    checkAlias(resend)
    const fields = { ...given(resend.body, SENT), reply_to: textsOf(resend.body.reply_to) }
    return resend.named('templates', resend.create('templates', { ...fields, ...draft(resend) }))
  },
  'GET /templates': (resend) => resend.list(resend.records.templates, (template) => shown(template, ITEM)),
  'GET /templates/{template}': (resend) => {
    const template = resend.find('templates')
    const times = shown(template, 'created_at updated_at')
    const variables = listOf(template.variables).map((one) => ({ ...only(one, 'key type fallback_value'), ...times }))
    const version = only(template, `${CONTENT} has_unpublished_versions current_version_id`)
    return { object: 'template', ...shown(template, ITEM), ...version, variables }
  },
  'PATCH /templates/{template}': (resend) => {
    const { id, reply_to = null } = resend.find('templates')
    checkAlias(resend, id)
    const fields = { ...given(resend.body, SENT), reply_to: textsOf(resend.body.reply_to) ?? reply_to }
    return resend.change('templates', { ...fields, ...draft(resend) })
  },
  'DELETE /templates/{template}': (resend) => resend.remove('templates'),
  'POST /templates/{template}/publish': (resend) =>
    resend.change('templates', {
      ...{ status: 'published', published_at: resend.time, updated_at: resend.time },
      ...{ has_unpublished_versions: false, published: only(resend.find('templates'), CONTENT) },
    }),
  'POST /templates/{template}/duplicate': (resend) => {
    const template = resend.find('templates')
    const fields = { ...only(template, CONTENT), name: `${template.name} (Copy)`, ...draft(resend) }
    return resend.named('templates', resend.create('templates', fields))
  },
}
