import type { JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, textOf } from './context.ts'

/** The refusals of test cards, by their last digits. https://docs.stripe.com/testing#declined-payments */
const DECLINES: Readonly<Record<string, JsonObject>> = {
  '0002': { decline_code: 'generic_decline' },
  '0341': { decline_code: 'generic_decline' },
  '9995': {
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
    network_decline_code: '51',
  },
  '9987': { decline_code: 'lost_card', advice_code: 'do_not_try_again', network_decline_code: '41' },
  '9979': { decline_code: 'stolen_card', advice_code: 'do_not_try_again', network_decline_code: '43' },
  '0019': { decline_code: 'fraudulent' },
  '6975': {
    decline_code: 'card_velocity_exceeded',
    message: 'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  },
  '0069': {
    ...{ code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.', param: 'exp_month' },
    ...{ advice_code: 'confirm_card_data', network_decline_code: '54' },
  },
  '0127': {
    ...{ code: 'incorrect_cvc', decline_code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
    ...{ param: 'cvc', advice_code: 'confirm_card_data', network_decline_code: 'N7' },
  },
  '0119': {
    ...{ code: 'processing_error', decline_code: 'processing_error', network_decline_code: '06' },
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
}
const UNAUTHENTICATED = {
  ...{ code: 'authentication_required', decline_code: 'authentication_required' },
  message: 'Your card was declined. This transaction requires authentication.',
}
/** Cards whose bank asks; the last one not for payments off session, once it is saved. */
const ASKING = ['3184', '3220', '3063', '1629', '3178', '3155']
/** Cards that are refused after the bank's question. */
const LATER: Readonly<Record<string, string>> = { 1629: '0002', 3178: '9995' }

/** Why a card is refused: at its `charge`, its `setup`, once it is `attached`, or `later` than its bank's question. */
export function declineOf({ of, at, off_session, error_on_requires_action }: JsonObject): JsonObject | null {
  const { card, customer } = fieldsOf(of)
  const { last4, country } = fieldsOf(card ?? of)
  const digits = textOf(last4)
  const isAlone = off_session === true && (digits !== '3155' || customer === null)
  if (at === 'charge' && ASKING.includes(digits) && (isAlone || error_on_requires_action === true))
    return full(UNAUTHENTICATED)
  const digitsOfRefusal = at === 'later' ? LATER[digits] : digits
  const isPast = (digits === '0341' && at !== 'charge') || (digits === '0019' && at === 'attached')
  const found = DECLINES[digitsOfRefusal ?? '']
  // other countries have cards with these digits that are paid
  return found === undefined || isPast || (digits === '0002' && country !== 'US') ? null : full(found)
}

function full(decline: JsonObject): JsonObject {
  const code = textOf(decline.code) || 'card_declined'
  return {
    ...{ type: 'card_error', message: 'Your card was declined.', advice_code: 'try_again_later' },
    ...{ network_decline_code: '05', ...decline, code },
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
  }
}

/** What a charge shows of its refusal. */
export function outcomeOf({
  advice_code = null,
  decline_code = null,
  network_decline_code = null,
}: JsonObject): JsonObject {
  const isBlocked = decline_code === 'fraudulent'
  const details =
    decline_code === 'generic_decline'
      ? 'The bank did not return any further details with this decline.'
      : `The bank returned the decline code \`${decline_code}\`.`
  return {
    ...(isBlocked ? { advice_code: null, network_decline_code: null } : { advice_code, network_decline_code }),
    network_advice_code: null,
    network_status: isBlocked ? 'not_sent_to_network' : 'declined_by_network',
    reason: isBlocked ? 'highest_risk_level' : decline_code,
    risk_level: isBlocked ? 'highest' : 'normal',
    seller_message: isBlocked ? 'Stripe blocked this payment as too risky.' : details,
    type: isBlocked ? 'blocked' : 'issuer_declined',
    risk_score: 20,
  }
}

const EVIDENCE =
  'access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal customer_communication customer_email_address customer_name customer_purchase_ip customer_signature duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id product_description receipt refund_policy refund_policy_disclosure refund_refusal_explanation service_date service_documentation shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number uncategorized_file uncategorized_text'

/** The evidence of a new dispute. */
export const emptyEvidence = (): JsonObject => ({
  ...Object.fromEntries(EVIDENCE.split(' ').map((name) => [name, null])),
  enhanced_evidence: {},
})
