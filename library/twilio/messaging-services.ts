import { phone } from '../shared/phone.ts'
import { type Fields, type Operations, operationsOf, type TwilioRequest, viewOf } from './twilio.ts'

const PATH = '/messaging/v1/Services'
const NUMBERS = `${PATH}/{ServiceSid}/PhoneNumbers`
const ALPHA_SENDERS = `${PATH}/{ServiceSid}/AlphaSenders`

const services = operationsOf({
  ...{ collection: 'messaging_services', path: PATH, list: 'services', needed: 'FriendlyName' },
  fields:
    'FriendlyName InboundRequestUrl InboundMethod FallbackUrl FallbackMethod StatusCallback ScanMessageContent ValidityPeriod Usecase StickySender MmsConverter SmartEncoding FallbackToLongCode AreaCodeGeomatch SynchronousValidation UseInboundWebhookOnNumber',
  show: viewOf(PATH, 'PhoneNumbers ShortCodes AlphaSenders Messages'),
  removed: (twilio, { sid }) => {
    twilio.removeAll('service_numbers', { service_sid: sid })
    twilio.removeAll('alpha_senders', { service_sid: sid })
  },
})

const ofService = (twilio: TwilioRequest): Fields => {
  const { sid } = twilio.find('messaging_services', twilio.path.ServiceSid)
  return { account_sid: twilio.account, service_sid: sid }
}

const showNumber = viewOf(NUMBERS)

const serviceNumbers: Operations = {
  ...operationsOf({
    ...{ collection: 'service_numbers', path: NUMBERS, list: 'phone_numbers', above: ofService, show: showNumber },
    has: 'list read delete',
  }),
  [`POST ${NUMBERS}`]: (twilio) => {
    const { incoming_phone_numbers, service_numbers } = twilio.records
    const above = ofService(twilio)
    const { sid, phone_number = '' } = incoming_phone_numbers.get(twilio.text('PhoneNumberSid')) ?? twilio.gone()
    if (service_numbers.get(sid) !== undefined)
      twilio.refuse(21710, 'Phone Number or Short Code is already in the Messaging Service.', 409)
    const country_code = phone(phone_number).country ?? 'US'
    const fields = { sid, phone_number, country_code, capabilities: ['MMS', 'SMS', 'Voice'] }
    return showNumber(twilio.create('service_numbers', { ...above, ...fields }), twilio)
  },
}

const alphaSenders = operationsOf({
  ...{ collection: 'alpha_senders', path: ALPHA_SENDERS, above: ofService, fields: 'AlphaSender' },
  ...{ needed: 'AlphaSender', show: viewOf(ALPHA_SENDERS), has: 'create list read delete' },
  made: (twilio) => {
    const { service_sid } = ofService(twilio)
    if (twilio.records.alpha_senders.some({ service_sid, alpha_sender: twilio.text('AlphaSender') }))
      twilio.refuse(21709, 'Alpha Sender is already in the Messaging Service.', 409)
    return {}
  },
})

export const messagingServices: Operations = { ...services, ...serviceNumbers, ...alphaSenders }
