import type { JsonObject } from '../../src/protocol/json.ts'
import { type Context, fieldsOf, find, type Kept, listOf, only, refused, textOf } from './context.ts'

/** The devices of the codes that a sandbox registers. */
const SIMULATED: Readonly<Record<string, string>> = {
  'simulated-wpe': 'simulated_wisepos_e',
  'simulated-s700': 'simulated_stripe_s700',
  'simulated-s710': 'simulated_stripe_s710',
}

const readerOf = (context: Context): Kept => find(context, 'readers', context.path.reader, 'reader')

/** Begins an action on a reader that has none. */
function begin(context: Context, type: string, facts: JsonObject, status = 'in_progress'): object {
  const reader = readerOf(context)
  const { type: current, status: state } = fieldsOf(reader.action)
  if (state === 'in_progress' && current !== 'set_reader_display')
    return refused(
      context,
      null,
      'Reader is currently busy processing another request. Please reference the integration guide at https://stripe.com/docs/terminal/payments/collect-payment?terminal-sdk-platform=server-driven#handle-errors for details on how to handle this error.',
      'terminal_reader_busy',
    )
  const action = { api_error: null, failure_code: null, failure_message: null, status, type, [type]: facts }
  return context.records.readers.update(reader.id, { action })
}

/** Ends the action of a reader. */
function end(context: Context, reader: Kept, facts: JsonObject, error?: JsonObject): object {
  const action = fieldsOf(reader.action)
  const type = textOf(action.type)
  const { doc_url: _, ...shown } = error ?? {}
  return context.records.readers.update(reader.id, {
    action: {
      ...action,
      ...(error && { api_error: shown, failure_code: error.code ?? null, failure_message: error.message ?? null }),
      status: error ? 'failed' : 'succeeded',
      [type]: { ...fieldsOf(action[type]), ...facts },
    },
  })
}

/** The intent of an action, in a status that it takes. */
function intentOf(context: Context, kind: 'payment_intent' | 'setup_intent', statuses: readonly string[]): Kept {
  const intent = find(context, `${kind}s`, context.body[kind], kind)
  const types = Array.isArray(intent.payment_method_types) ? intent.payment_method_types : []
  if (!types.includes('card_present') && kind === 'payment_intent')
    return refused(
      context,
      kind,
      `The payment_method_types of PaymentIntent ${intent.id} must include card_present to be processed by a reader.`,
    )
  if (!statuses.includes(textOf(intent.status)))
    return refused(
      context,
      kind,
      `This ${kind === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent'} could not be processed because it has a status of ${intent.status}. Only one with one of the following statuses may be processed: ${statuses.join(', ')}.`,
      'intent_invalid_state',
    )
  return intent
}

const REFUND = [
  'charge',
  'payment_intent',
  'amount',
  'reason',
  'metadata',
  'refund_application_fee',
  'reverse_transfer',
]

const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** The card that is tapped, as a payment method of a reader. */
function presentCard(context: Context): { id: string } | { error: JsonObject } {
  const { card, card_present } = context.body
  const type = textOf(context.body.type) || 'card_present'
  const number = textOf(fieldsOf(card ?? card_present).number) || '4242424242424242'
  const made = context.call('POST', '/v1/payment_methods', {
    type: 'card',
    card: { number, exp_month: 12, exp_year: context.now.getUTCFullYear() + 3, cvc: '123' },
  })
  if (made.status !== 200) return { error: fieldsOf(made.body.error) }
  const fields = only(made.body.card, 'brand', 'country', 'exp_month', 'exp_year', 'fingerprint', 'funding', 'last4')
  const shown = { ...fields, read_method: 'contactless_emv' }
  const id = textOf(made.body.id)
  if (type !== 'card') context.records.payment_methods.update(id, { type, [type]: shown })
  return { id }
}

/** Pays with a card at the reader; the error of a decline. */
function pay(context: Context, intent: Kept, method: string, tip = 0): JsonObject | undefined {
  const { records, call } = context
  if (tip > 0) {
    const amount_details = { ...fieldsOf(intent.amount_details), tip: { amount: tip } }
    records.payment_intents.update(intent.id, { amount: Number(intent.amount) + tip, amount_details })
  }
  const made = call('POST', `/v1/payment_intents/${intent.id}/confirm`, { payment_method: method })
  const { latest_charge } = records.payment_intents.get(intent.id) ?? intent
  const used = records.payment_methods.get(method)
  const type = textOf(used?.type)
  if (type.endsWith('_present') && typeof latest_charge === 'string') {
    const { card: _, ...details } = fieldsOf(records.charges.get(latest_charge)?.payment_method_details)
    const receipt = {
      authorization_code: '123456',
      application_preferred_name: 'Stripe Credit',
      account_type: 'credit',
    }
    records.charges.update(latest_charge, {
      payment_method_details: { ...details, type, [type]: { ...fieldsOf(used?.[type]), receipt } },
    })
  }
  return made.status === 200 ? undefined : fieldsOf(made.body.error)
}

function present(context: Context): object {
  const { body, records, call } = context
  const reader = readerOf(context)
  const action = fieldsOf(reader.action)
  const facts = fieldsOf(action[textOf(action.type)])
  if (action.status !== 'in_progress' || action.type === 'collect_inputs')
    return refused(context, null, 'There is no action on this reader that waits for a payment method.')
  const card = presentCard(context)
  if ('error' in card) return end(context, reader, {}, card.error)
  if (action.type === 'process_payment_intent')
    return end(
      context,
      reader,
      {},
      pay(context, find(context, 'payment_intents', facts.payment_intent), card.id, Number(body.amount_tip ?? 0)),
    )
  if (action.type === 'collect_payment_method') {
    records.payment_intents.update(textOf(facts.payment_intent), {
      payment_method: card.id,
      status: 'requires_confirmation',
    })
    return end(context, reader, { payment_method: records.payment_methods.get(card.id) ?? null })
  }
  if (action.type === 'process_setup_intent') {
    records.payment_methods.update(card.id, { allow_redisplay: textOf(facts.allow_redisplay) })
    const made = call('POST', `/v1/setup_intents/${facts.setup_intent}/confirm`, { payment_method: card.id })
    return end(context, reader, {}, made.status === 200 ? undefined : fieldsOf(made.body.error))
  }
  const made = call('POST', '/v1/refunds', only(facts, ...REFUND))
  return made.status === 200
    ? end(context, reader, { refund: made.body.id ?? null })
    : end(context, reader, {}, fieldsOf(made.body.error))
}

/** The inputs that a reader waits for. */
function inputsOf(context: Context): { reader: Kept; inputs: JsonObject[] } {
  const reader = readerOf(context)
  const { type, status, collect_inputs } = fieldsOf(reader.action)
  if (type === 'collect_inputs' && status === 'in_progress')
    return { reader, inputs: listOf(fieldsOf(collect_inputs).inputs) }
  return refused(context, null, 'There is no action on this reader that collects inputs.')
}

const VALUES: Readonly<Record<string, string>> = {
  email: 'jenny.rosen@example.com',
  phone: '+15555555555',
  numeric: '1234',
  text: 'Jenny',
}

/** Locations, readers and what they do. */
export const terminal = {
  'POST /v1/terminal/readers': (context: Context) => {
    const { body, create, id, now, records } = context
    const device_type = SIMULATED[textOf(body.registration_code)]
    if (device_type === undefined)
      return refused(
        context,
        'registration_code',
        `No such registration code: '${body.registration_code}'. A sandbox registers ${Object.keys(SIMULATED).join(', ')}.`,
        'resource_missing',
      )
    if (body.location !== undefined) find(context, 'locations', body.location, 'location')
    const { registration_code: _, ...fields } = body
    const made = create({ ...fields, device_type, serial_number: id('').toLowerCase(), last_seen_at: now.getTime() })
    return records.readers.update(textOf(made.id), { label: textOf(body.label) || textOf(made.serial_number) })
  },
  'POST /v1/terminal/connection_tokens': (context: Context) => {
    const { location } = context.body
    if (location !== undefined) find(context, 'locations', location, 'location')
    return {
      object: 'terminal.connection_token',
      ...(location !== undefined && { location }),
      secret: context.id('pst_test_'),
    }
  },
  'POST /v1/terminal/readers/{reader}/process_payment_intent': (context: Context) => {
    const { id } = intentOf(context, 'payment_intent', OPEN)
    return begin(context, 'process_payment_intent', { payment_intent: id, ...only(context.body, 'process_config') })
  },
  'POST /v1/terminal/readers/{reader}/collect_payment_method': (context: Context) => {
    const { id } = intentOf(context, 'payment_intent', OPEN)
    return begin(context, 'collect_payment_method', { payment_intent: id, ...only(context.body, 'collect_config') })
  },
  'POST /v1/terminal/readers/{reader}/confirm_payment_intent': (context: Context) => {
    const intent = intentOf(context, 'payment_intent', ['requires_confirmation'])
    begin(context, 'confirm_payment_intent', { payment_intent: intent.id, ...only(context.body, 'confirm_config') })
    return end(context, readerOf(context), {}, pay(context, intent, textOf(intent.payment_method)))
  },
  'POST /v1/terminal/readers/{reader}/process_setup_intent': (context: Context) => {
    const { id } = intentOf(context, 'setup_intent', OPEN)
    return begin(context, 'process_setup_intent', {
      setup_intent: id,
      ...only(context.body, 'allow_redisplay', 'process_config'),
    })
  },
  'POST /v1/terminal/readers/{reader}/refund_payment': (context: Context) => {
    const { body } = context
    if (body.charge === undefined && body.payment_intent === undefined)
      return refused(context, 'payment_intent', 'One of charge or payment_intent is required.', 'parameter_missing')
    if (body.payment_intent !== undefined) find(context, 'payment_intents', body.payment_intent, 'payment_intent')
    if (body.charge !== undefined) find(context, 'charges', body.charge, 'charge')
    return begin(context, 'refund_payment', only(body, ...REFUND, 'refund_payment_config'))
  },
  'POST /v1/terminal/readers/{reader}/set_reader_display': (context: Context) => {
    const { cart, type } = context.body
    return begin(
      context,
      'set_reader_display',
      { type, cart: { tax: null, ...fieldsOf(cart) } } as JsonObject,
      'succeeded',
    )
  },
  'POST /v1/terminal/readers/{reader}/collect_inputs': (context: Context) => {
    const inputs = listOf(context.body.inputs).map((input) => ({ required: false, toggles: null, ...input }))
    return begin(context, 'collect_inputs', { inputs, metadata: context.body.metadata ?? {} })
  },
  'POST /v1/terminal/readers/{reader}/cancel_action': (context: Context) =>
    context.records.readers.update(readerOf(context).id, { action: null }),
  'POST /v1/test_helpers/terminal/readers/{reader}/present_payment_method': present,
  'POST /v1/test_helpers/terminal/readers/{reader}/succeed_input_collection': (context: Context) => {
    const { reader, inputs } = inputsOf(context)
    const skips = context.body.skip_non_required_inputs === 'all'
    const filled = inputs.map((input): JsonObject => {
      const type = textOf(input.type)
      if (skips && input.required !== true) return { ...input, skipped: true }
      const { choices } = fieldsOf(input.selection)
      const { id, text } = listOf(choices)[0] ?? {}
      const value = type === 'selection' ? { choices, id, text } : { value: VALUES[type] ?? null }
      const toggles = listOf(input.toggles).map((toggle) => ({ ...toggle, value: toggle.default_value ?? 'enabled' }))
      return { ...input, [type]: value as JsonObject, skipped: false, ...(toggles.length > 0 && { toggles }) }
    })
    return end(context, reader, { inputs: filled })
  },
  'POST /v1/test_helpers/terminal/readers/{reader}/timeout_input_collection': (context: Context) => {
    const { reader } = inputsOf(context)
    const message = 'The customer did not finish the input collection in time.'
    return end(context, reader, {}, { code: 'terminal_reader_timeout', message, type: 'invalid_request_error' })
  },
}
