import { valueText } from '../../src/protocol/json.ts'
import {
  type Fields,
  type Kept,
  type Operations,
  type SendGrid,
  type SendGridRequest,
  textsOf,
  without,
} from './sendgrid.ts'

const MOST_OF_NAME = 100
const TEMPLATE = { name: '', generation: '' }
const VERSION = {
  ...{ name: '', html_content: '', plain_content: '', subject: '', generate_plain_content: true },
  ...{ editor: '', test_data: null, active: 1 },
}

const versionsOf = ({ records }: SendGrid, { id }: Kept): Kept[] => records.template_versions.where({ template_id: id })

const toTemplate = (sendgrid: SendGrid, template: Kept): Fields => ({
  ...template,
  versions: versionsOf(sendgrid, template),
})

const newId = (sendgrid: SendGrid, generation: unknown): string =>
  generation === 'dynamic' ? `d-${sendgrid.hex(32)}` : sendgrid.uuid()

/** The words of HTML, as the plain text of a version that has none. */
const wordsOf = (html: string): string =>
  html
    .replaceAll(/<(style|script|head)\b.*?<\/\1>/gis, '')
    .replaceAll(/<br\s*\/?>|<\/(?:p|div|h\d|li|tr)>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .trim()

/** The fields of a version that a request sets. */
function versionIn(sendgrid: SendGridRequest): Fields {
  const { html_content, plain_content, generate_plain_content } = sendgrid.body
  const isGenerated = generate_plain_content !== false && !plain_content && html_content
  return {
    ...sendgrid.sent(VERSION),
    ...(isGenerated && { plain_content: wordsOf(valueText(html_content)) }),
    updated_at: sendgrid.time,
  }
}

/** Leaves one version of a template active. */
function activate(sendgrid: SendGrid, template: Kept, version: Kept): void {
  for (const { id, active } of versionsOf(sendgrid, template))
    if (id !== version.id && active !== 0) sendgrid.records.template_versions.update(id, { active: 0 })
}

export const templates: Operations = {
  'POST /v3/templates': (sendgrid) => {
    const { name, generation } = sendgrid.body
    if (!name) sendgrid.refuse('The template name is required', 'name')
    if (valueText(name).length > MOST_OF_NAME)
      sendgrid.refuse(`name must be at most ${MOST_OF_NAME} characters`, 'name')
    const fields = { ...sendgrid.sent(TEMPLATE), id: newId(sendgrid, generation), updated_at: sendgrid.time }
    return toTemplate(sendgrid, sendgrid.records.templates.create(fields))
  },
  'GET /v3/templates': (sendgrid) => {
    const generations = textsOf(sendgrid.query.generations ?? 'legacy')
    const found = sendgrid.records.templates.where(({ generation }) => generations.includes(String(generation)))
    const show = (template: Kept) => toTemplate(sendgrid, template)
    return sendgrid.paged('templates', found, { show, usual: 200, most: 200, more: `generations=${generations}&` })
  },
  'GET /v3/templates/{template_id}': (sendgrid) => toTemplate(sendgrid, sendgrid.find('templates')),
  'PATCH /v3/templates/{template_id}': (sendgrid) =>
    toTemplate(sendgrid, sendgrid.change('templates', { ...sendgrid.sent(TEMPLATE), updated_at: sendgrid.time })),
  'DELETE /v3/templates/{template_id}': (sendgrid) => {
    for (const version of versionsOf(sendgrid, sendgrid.find('templates')))
      sendgrid.records.template_versions.remove(version)
    return sendgrid.remove('templates')
  },
  'POST /v3/templates/{template_id}': (sendgrid) => {
    const template = sendgrid.find('templates')
    const { templates, template_versions } = sendgrid.records
    const { generation } = template
    const name = sendgrid.body.name ?? `${template.name} (Copy)`
    const copy = templates.create({ id: newId(sendgrid, generation), name, generation, updated_at: sendgrid.time })
    for (const version of versionsOf(sendgrid, template).toReversed())
      template_versions.create({ ...without(version, 'id'), template_id: copy.id })
    return toTemplate(sendgrid, copy)
  },
  'POST /v3/templates/{template_id}/versions': (sendgrid) => {
    const template = sendgrid.find('templates', sendgrid.path.template_id)
    sendgrid.need('name')
    const version = sendgrid.records.template_versions.create({ ...versionIn(sendgrid), template_id: template.id })
    if (version.active === 1) activate(sendgrid, template, version)
    return version
  },
  'GET /v3/templates/{template_id}/versions/{version_id}': (sendgrid) => sendgrid.find('template_versions'),
  'PATCH /v3/templates/{template_id}/versions/{version_id}': (sendgrid) =>
    sendgrid.change('template_versions', versionIn(sendgrid)),
  'DELETE /v3/templates/{template_id}/versions/{version_id}': (sendgrid) => sendgrid.remove('template_versions'),
  'POST /v3/templates/{template_id}/versions/{version_id}/activate': (sendgrid) => {
    const version = sendgrid.find('template_versions')
    activate(sendgrid, sendgrid.find('templates', sendgrid.path.template_id), version)
    return sendgrid.records.template_versions.update(version, { active: 1, updated_at: sendgrid.time })
  },
}
