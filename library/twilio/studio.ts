import { type Operations, operationsOf, type TwilioRequest, viewOf } from './twilio.ts'

const FLOWS = '/studio/v2/Flows'
const EXECUTIONS = `${FLOWS}/{FlowSid}/Executions`
const FLOW_FIELDS = 'FriendlyName Status Definition'

const showFlow = viewOf(FLOWS)

/** Flows are kept and do nothing. */
const flows: Operations = {
  ...operationsOf({
    ...{ collection: 'studio_flows', path: FLOWS, list: 'flows', needed: 'FriendlyName', show: showFlow },
    fields: `${FLOW_FIELDS} CommitMessage`,
    made: () => ({ revision: 1 }),
  }),
  [`POST ${FLOWS}/{Sid}`]: (twilio) => {
    const flow = twilio.find('studio_flows')
    const of = { commit_message: twilio.body.CommitMessage ?? null, revision: Number(flow.revision) + 1 }
    return showFlow(twilio.update('studio_flows', flow, { ...twilio.sent(FLOW_FIELDS), ...of }), twilio)
  },
}

const executions = operationsOf({
  ...{ collection: 'studio_executions', path: EXECUTIONS, list: 'executions', needed: 'To', show: viewOf(EXECUTIONS) },
  fields: 'Status',
  above: (twilio: TwilioRequest) => ({
    ...{ account_sid: twilio.account, flow_sid: twilio.find('studio_flows', twilio.path.FlowSid).sid },
  }),
  made: ({ body }) => ({
    ...{ contact_channel_address: body.To ?? '', context: { flow: { data: body.Parameters ?? {} } } },
  }),
})

export const studio: Operations = { ...flows, ...executions }
