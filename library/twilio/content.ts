import { fieldsOf, type Operations, operationsOf, type View, viewOf } from './twilio.ts'

const PATH = '/content/v1/Content'

const address = viewOf(PATH, '', 'approval')

const show: View = (content, twilio) => {
  const shown = address(content, twilio)
  const approvals = `${shown.url}/ApprovalRequests`
  return { ...shown, links: { approval_create: `${approvals}/whatsapp`, approval_fetch: approvals } }
}

export const content: Operations = {
  ...operationsOf({ collection: 'contents', path: PATH, show, has: 'list read delete' }),
  [`POST ${PATH}`]: (twilio) => {
    twilio.need('types language')
    const { types, variables } = twilio.body
    const friendly_name = twilio.text('friendly_name') || twilio.text('friendlyName') || null
    const fields = { friendly_name, language: twilio.text('language'), types: fieldsOf(types) }
    const made = { account_sid: twilio.account, ...fields, variables: fieldsOf(variables) }
    return show(twilio.create('contents', made), twilio)
  },
  [`POST ${PATH}/{Sid}/ApprovalRequests/whatsapp`]: (twilio) => {
    const asked = {
      ...{ name: twilio.body.name ?? null, category: twilio.body.category ?? null, content_type: 'whatsapp' },
      ...{ status: 'received', rejection_reason: '', allow_category_change: true },
    }
    twilio.records.contents.update(twilio.find('contents'), { approval: asked })
    return asked
  },
  'GET /content/v1/ContentAndApprovals': (twilio) =>
    twilio.page('contents', twilio.records.contents.where({ account_sid: twilio.account }), (content) => ({
      ...show(content, twilio),
      approval_requests: content.approval ?? {},
    })),
  [`GET ${PATH}/{Sid}/ApprovalRequests`]: (twilio) => {
    const { sid, approval } = twilio.find('contents')
    const url = `https://content.twilio.example/v1/Content/${sid}/ApprovalRequests`
    return { sid, account_sid: twilio.account, whatsapp: approval ?? {}, url }
  },
}
