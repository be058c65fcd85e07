import {
  type Fields,
  type Kept,
  listOf,
  type Operations,
  operationsOf,
  type TwilioRequest,
  type View,
  viewOf,
} from './twilio.ts'

const FLOWS = '/studio/v2/Flows'
const EXECUTIONS = `${FLOWS}/{FlowSid}/Executions`
const FLOW_FIELDS = 'FriendlyName Status Definition'

const viewFlow = viewOf(FLOWS, 'Executions Revisions', 'earlier')
const showFlow: View = (flow, twilio) => ({
  ...viewFlow(flow, twilio),
  webhook_url: `https://webhooks.twilio.example/v1/Accounts/${flow.account_sid}/Flows/${flow.sid}`,
})

/** A flow as it is and as it was, the newest first. */
const revisionsOf = ({ earlier, ...flow }: Kept): Fields[] => [flow, ...listOf(earlier)]

const showRevision = (one: Fields, twilio: TwilioRequest): Fields => {
  const { url, links: _, ...shown } = showFlow(one as Kept, twilio)
  return { ...shown, url: `${url}/Revisions/${one.revision}` }
}

/** Flows are kept and do nothing. */
const flows: Operations = {
  ...operationsOf({
    ...{ collection: 'studio_flows', path: FLOWS, list: 'flows', needed: 'FriendlyName', show: showFlow },
    fields: `${FLOW_FIELDS} CommitMessage`,
    made: () => ({ revision: 1 }),
  }),
  [`POST ${FLOWS}/{Sid}`]: (twilio) => {
    const flow = twilio.find('studio_flows')
    const revision = Number(flow.revision) + 1
    const of = { commit_message: twilio.body.CommitMessage ?? null, revision, earlier: revisionsOf(flow) }
    return showFlow(twilio.update('studio_flows', flow, { ...twilio.sent(FLOW_FIELDS), ...of }), twilio)
  },
  [`POST ${FLOWS}/Validate`]: (twilio) => {
    twilio.need('FriendlyName Status Definition')
    return { valid: true }
  },
  [`GET ${FLOWS}/{Sid}/Revisions`]: (twilio) =>
    twilio.page('revisions', revisionsOf(twilio.find('studio_flows')), (one) => showRevision(one, twilio)),
  [`GET ${FLOWS}/{Sid}/Revisions/{Revision}`]: (twilio) => {
    const all = revisionsOf(twilio.find('studio_flows'))
    const { Revision = '' } = twilio.path
    const isAsked = ({ revision, status }: Fields): boolean =>
      Revision === 'LatestRevision' ||
      String(revision) === Revision ||
      (Revision === 'LatestPublished' && status === 'published')
    return showRevision(all.find(isAsked) ?? twilio.gone(), twilio)
  },
}

const executions = operationsOf({
  ...{
    collection: 'studio_executions',
    path: EXECUTIONS,
    list: 'executions',
    needed: 'To From',
    show: (one, twilio) => show(one, twilio),
  },
  fields: 'Status',
  above: (twilio: TwilioRequest) => ({
    ...{ account_sid: twilio.account, flow_sid: twilio.find('studio_flows', twilio.path.FlowSid).sid },
  }),
  made: ({ body }) => ({
    ...{ contact_channel_address: body.To ?? '', context: { flow: { data: body.Parameters ?? {} } } },
  }),
})

const show = viewOf(EXECUTIONS, 'Steps Context')

/** The execution that the path names. */
const executionOf = (twilio: TwilioRequest): Kept => twilio.find('studio_executions', twilio.path.ExecutionSid)

export const studio: Operations = {
  ...{ ...flows, ...executions },
  [`GET ${EXECUTIONS}/{ExecutionSid}/Context`]: (twilio) => {
    const execution = executionOf(twilio)
    const { account_sid = '', context = {}, flow_sid = '', sid } = execution
    return { account_sid, context, flow_sid, execution_sid: sid, url: `${show(execution, twilio).url}/Context` }
  },
  // A flow does nothing, so its executions take no steps.
  [`GET ${EXECUTIONS}/{ExecutionSid}/Steps`]: (twilio) => {
    executionOf(twilio)
    return twilio.page('steps', [], String)
  },
}
