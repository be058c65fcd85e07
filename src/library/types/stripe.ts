/** Types of Stripe-compatible API 2026-10-28.endive, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    customers: components['schemas']['customer']
    products: components['schemas']['product']
    prices: components['schemas']['price']
    payment_methods: components['schemas']['payment_method']
    payment_intents: components['schemas']['payment_intent']
    setup_intents: components['schemas']['setup_intent']
    charges: components['schemas']['charge']
    refunds: components['schemas']['refund']
    balance_transactions: components['schemas']['balance_transaction']
    invoices: components['schemas']['invoice']
    invoiceitems: components['schemas']['invoiceitem']
    subscriptions: components['schemas']['subscription']
    subscription_items: components['schemas']['subscription_item']
    coupons: components['schemas']['coupon']
    promotion_codes: components['schemas']['promotion_code']
    meters: components['schemas']['meter']
    meter_events: components['schemas']['meter_event']
    topups: components['schemas']['topup']
    reversals: {
      amount?: number
      description?: string
      expand?: string[]
      metadata?: { [name: string]: string }
      refund_application_fee?: boolean
    }
    tax_rates: components['schemas']['tax_rate']
    checkout_sessions: components['schemas']['checkout_session']
    webhook_endpoints: components['schemas']['webhook_endpoint']
    disputes: components['schemas']['dispute']
    payouts: components['schemas']['payout']
    test_clocks: components['schemas']['test_helpers_test_clock']
    events: components['schemas']['event']
    lines: {
      amount?: number
      description?: string
      discountable?: boolean
      metadata?: { [name: string]: string } | string
      quantity?: number
      period?: { start?: number; end?: number }
      tax_rates?: unknown[]
      expand?: string[]
      id: string
    }
    billing_portal_sessions: {
      customer?: string
      return_url?: string
      configuration?: string
      flow_data?: unknown
      locale?: string
      on_behalf_of?: string
      expand?: string[]
    }
    ephemeral_keys: {
      customer?: string
      issuing_card?: string
      nonce?: string
      verification_session?: string
      expand?: string[]
    }
    customer_sessions: { customer?: string; components?: { [name: string]: unknown }; expand?: string[] }
    customer_balance_transactions: components['schemas']['customer_balance_transaction']
    tax_ids: components['schemas']['tax_id']
    tokens: components['schemas']['token']
    payment_links: components['schemas']['payment_link']
    accounts: components['schemas']['account']
    account_links: {
      account: string
      refresh_url?: string
      return_url?: string
      type: string
      collect?: string
      collection_options?: { [name: string]: unknown }
      expand?: string[]
    }
    transfers: components['schemas']['transfer']
    credit_notes: components['schemas']['credit_note']
    configurations: components['schemas']['billing_portal.configuration']
    shipping_rates: components['schemas']['shipping_rate']
    subscription_schedules: components['schemas']['subscription_schedule']
    quotes: components['schemas']['quote']
    plans: components['schemas']['plan']
    files: components['schemas']['file']
    file_links: components['schemas']['file_link']
  }
  events: {
    'customer.created': components['schemas']['customer']
    'customer.updated': components['schemas']['customer']
    'customer.deleted': components['schemas']['customer']
    'product.created': components['schemas']['product']
    'product.updated': components['schemas']['product']
    'product.deleted': components['schemas']['product']
    'price.created': components['schemas']['price']
    'price.updated': components['schemas']['price']
    'payment_intent.created': components['schemas']['payment_intent']
    'payment_intent.requires_action': components['schemas']['payment_intent']
    'payment_intent.amount_capturable_updated': components['schemas']['payment_intent']
    'payment_intent.payment_failed': components['schemas']['payment_intent']
    'payment_intent.succeeded': components['schemas']['payment_intent']
    'payment_intent.canceled': components['schemas']['payment_intent']
    'charge.succeeded': components['schemas']['charge']
    'charge.failed': components['schemas']['charge']
    'charge.captured': components['schemas']['charge']
    'charge.refunded': components['schemas']['charge']
    'refund.created': components['schemas']['refund']
    'charge.refund.updated': components['schemas']['refund']
    'refund.updated': components['schemas']['refund']
    'payment_method.attached': components['schemas']['payment_method']
    'setup_intent.created': components['schemas']['setup_intent']
    'setup_intent.requires_action': components['schemas']['setup_intent']
    'setup_intent.setup_failed': components['schemas']['setup_intent']
    'setup_intent.succeeded': components['schemas']['setup_intent']
    'setup_intent.canceled': components['schemas']['setup_intent']
    'customer.subscription.created': components['schemas']['subscription']
    'customer.subscription.updated': components['schemas']['subscription']
    'customer.subscription.trial_will_end': components['schemas']['subscription']
    'customer.subscription.paused': components['schemas']['subscription']
    'customer.subscription.deleted': components['schemas']['subscription']
    'invoice.created': components['schemas']['invoice']
    'invoice.finalized': components['schemas']['invoice']
    'invoice.updated': components['schemas']['invoice']
    'invoice.payment_failed': components['schemas']['invoice']
    'invoice.paid': components['schemas']['invoice']
    'invoice.payment_succeeded': components['schemas']['invoice']
    'invoice.voided': components['schemas']['invoice']
    'invoice.marked_uncollectible': components['schemas']['invoice']
    'invoice.deleted': components['schemas']['invoice']
    'invoiceitem.created': components['schemas']['invoiceitem']
    'invoiceitem.deleted': components['schemas']['invoiceitem']
    'coupon.created': components['schemas']['coupon']
    'coupon.updated': components['schemas']['coupon']
    'coupon.deleted': components['schemas']['coupon']
    'promotion_code.created': components['schemas']['promotion_code']
    'promotion_code.updated': components['schemas']['promotion_code']
    'tax_rate.created': components['schemas']['tax_rate']
    'tax_rate.updated': components['schemas']['tax_rate']
    'checkout.session.completed': components['schemas']['checkout_session']
    'checkout.session.expired': components['schemas']['checkout_session']
    'charge.dispute.created': components['schemas']['dispute']
    'charge.dispute.updated': components['schemas']['dispute']
    'charge.dispute.closed': components['schemas']['dispute']
    'payout.created': components['schemas']['payout']
    'payout.paid': components['schemas']['payout']
    'payout.canceled': components['schemas']['payout']
    'test_helpers.test_clock.created': components['schemas']['test_helpers_test_clock']
    'test_helpers.test_clock.advancing': components['schemas']['test_helpers_test_clock']
    'test_helpers.test_clock.ready': components['schemas']['test_helpers_test_clock']
    'test_helpers.test_clock.deleted': components['schemas']['test_helpers_test_clock']
    'refund.failed': components['schemas']['refund']
    'payment_link.created': components['schemas']['payment_link']
    'payment_link.updated': components['schemas']['payment_link']
    'credit_note.created': components['schemas']['credit_note']
    'credit_note.voided': components['schemas']['credit_note']
    'account.updated': components['schemas']['account']
    'transfer.created': components['schemas']['transfer']
    'customer.tax_id.created': components['schemas']['tax_id']
    'customer.tax_id.deleted': components['schemas']['tax_id']
    'subscription_schedule.created': components['schemas']['subscription_schedule']
    'subscription_schedule.updated': components['schemas']['subscription_schedule']
    'subscription_schedule.released': components['schemas']['subscription_schedule']
    'subscription_schedule.canceled': components['schemas']['subscription_schedule']
    'subscription_schedule.completed': components['schemas']['subscription_schedule']
    'quote.created': components['schemas']['quote']
    'quote.finalized': components['schemas']['quote']
    'quote.accepted': components['schemas']['quote']
    'quote.canceled': components['schemas']['quote']
    'plan.created': components['schemas']['plan']
    'plan.updated': components['schemas']['plan']
    'plan.deleted': components['schemas']['plan']
    'invoice.sent': components['schemas']['invoice']
    'file.created': components['schemas']['file']
    'billing.meter.created': components['schemas']['meter']
    'billing.meter.deactivated': components['schemas']['meter']
    'billing.meter.reactivated': components['schemas']['meter']
    'topup.created': components['schemas']['topup']
    'topup.succeeded': components['schemas']['topup']
    'topup.canceled': components['schemas']['topup']
    'transfer.reversed': components['schemas']['transfer']
  }
}

export interface components {
  schemas: {
    account: {
      id: string
      object: 'account'
      business_profile: { [name: string]: unknown } | null
      business_type: string | null
      capabilities: { [name: string]: unknown }
      charges_enabled: boolean
      company: { [name: string]: unknown } | null
      controller: { [name: string]: unknown } | null
      country: string
      created: number
      default_currency: string
      details_submitted: boolean
      email: string | null
      external_accounts: { [name: string]: unknown }
      individual: { [name: string]: unknown } | null
      metadata: { [name: string]: string }
      payouts_enabled: boolean
      requirements: { [name: string]: unknown }
      settings: { [name: string]: unknown } | null
      tos_acceptance: { [name: string]: unknown } | null
      type: string
      livemode: false
    }
    balance_transaction: {
      id: string
      object: 'balance_transaction'
      amount: number
      available_on: number
      balance_type: 'issuing' | 'payments' | 'refund_and_dispute_prefunding' | 'risk_reserved'
      created: number
      currency: string
      description: string | null
      exchange_rate: number | null
      fee: number
      fee_details: {
        amount: number
        application: string | null
        currency: string
        description: string | null
        type: string
      }[]
      net: number
      reporting_category: string
      source: string | null
      status: string
      type: string
    }
    'billing_portal.configuration': {
      id: string
      object: 'billing_portal.configuration'
      active: boolean
      application: string | null
      business_profile: { [name: string]: unknown }
      created: number
      default_return_url: string | null
      features: { [name: string]: unknown }
      is_default: boolean
      login_page: { [name: string]: unknown }
      metadata: { [name: string]: string }
      name: string | null
      updated: number
      livemode: false
    }
    charge: {
      id: string
      object: 'charge'
      amount: number
      amount_captured: number
      amount_refunded: number
      application: string | null
      application_fee: string | null
      application_fee_amount: number | null
      balance_transaction: string | null
      billing_details: { [name: string]: unknown }
      calculated_statement_descriptor: string | null
      captured: boolean
      created: number
      currency: string
      customer: string | null
      description: string | null
      disputed: boolean
      failure_balance_transaction: string | null
      failure_code: string | null
      failure_message: string | null
      fraud_details: { [name: string]: unknown } | null
      livemode: false
      metadata: { [name: string]: string }
      on_behalf_of: string | null
      outcome: { [name: string]: unknown } | null
      paid: boolean
      payment_intent: string | null
      payment_method: string | null
      payment_method_details: { [name: string]: unknown } | null
      receipt_email: string | null
      receipt_number: string | null
      receipt_url: string | null
      refunded: boolean
      review: string | null
      shipping: { [name: string]: unknown } | null
      source: { [name: string]: unknown } | null
      source_transfer: string | null
      transfer?: string
      statement_descriptor: string | null
      statement_descriptor_suffix: string | null
      status: 'failed' | 'pending' | 'succeeded'
      transfer_data: { [name: string]: unknown } | null
      transfer_group: string | null
    }
    checkout_session: {
      id: string
      object: 'checkout.session'
      adaptive_pricing: { [name: string]: unknown } | null
      after_expiration: { [name: string]: unknown } | null
      allow_promotion_codes: boolean | null
      allowed_payment_method_types: unknown[] | null
      amount_subtotal: number | null
      amount_total: number | null
      automatic_tax: {
        enabled: boolean
        liability: { [name: string]: unknown } | null
        provider: string | null
        status: 'complete' | 'failed' | 'requires_location_inputs' | null
      }
      billing_address_collection: 'auto' | 'required' | null
      cancel_url: string | null
      client_reference_id: string | null
      client_secret: string | null
      collected_information: { [name: string]: unknown } | null
      consent: { [name: string]: unknown } | null
      consent_collection: { [name: string]: unknown } | null
      created: number
      currency: string | null
      currency_conversion: { [name: string]: unknown } | null
      custom_fields: {
        key: string
        label: { custom: string | null; type: 'custom' }
        optional: boolean
        type: 'dropdown' | 'numeric' | 'text'
      }[]
      custom_text: {
        after_submit: { [name: string]: unknown } | null
        shipping_address: { [name: string]: unknown } | null
        submit: { [name: string]: unknown } | null
        terms_of_service_acceptance: { [name: string]: unknown } | null
      }
      customer: string | null
      customer_account: string | null
      customer_creation: 'always' | 'if_required' | null
      customer_details: { [name: string]: unknown } | null
      customer_email: string | null
      discounts: unknown[] | null
      expires_at: number
      integration_identifier: string | null
      invoice: string | null
      invoice_creation: { [name: string]: unknown } | null
      livemode: false
      locale: string | null
      managed_payments: { [name: string]: unknown } | null
      metadata: { [name: string]: string }
      mode: 'payment' | 'setup' | 'subscription'
      origin_context: 'mobile_app' | 'web' | null
      payment_intent: string | null
      payment_link: string | null
      payment_method_collection: 'always' | 'if_required' | null
      payment_method_configuration_details: { [name: string]: unknown } | null
      payment_method_options: { [name: string]: unknown } | null
      payment_method_types: string[]
      payment_status: 'no_payment_required' | 'paid' | 'unpaid'
      permissions: { [name: string]: unknown } | null
      recovered_from: string | null
      saved_payment_method_options: { [name: string]: unknown } | null
      setup_intent: string | null
      shipping_address_collection: { [name: string]: unknown } | null
      shipping_cost: { [name: string]: unknown } | null
      shipping_options: { shipping_amount: number; shipping_rate: string }[]
      status: 'complete' | 'expired' | 'open' | null
      submit_type: 'auto' | 'book' | 'donate' | 'pay' | 'subscribe' | null
      subscription: string | null
      success_url: string | null
      total_details: { [name: string]: unknown } | null
      ui_mode: 'elements' | 'embedded_page' | 'form' | 'hosted_page' | null
      url: string | null
      wallet_options: { [name: string]: unknown } | null
      line_items?: { [name: string]: unknown }
      data?: { [name: string]: unknown }
    }
    coupon: {
      id: string
      object: 'coupon'
      amount_off: number | null
      created: number
      currency: string | null
      duration: 'forever' | 'once' | 'repeating'
      duration_in_months: number | null
      livemode: false
      max_redemptions: number | null
      metadata: { [name: string]: string }
      name: string | null
      percent_off: number | null
      redeem_by: number | null
      times_redeemed: number
      valid: boolean
    }
    credit_note: {
      id: string
      object: 'credit_note'
      amount: number
      created: number
      currency: string
      customer: string
      customer_balance_transaction: string | null
      invoice: string
      memo: string | null
      metadata: { [name: string]: string }
      number: string
      out_of_band_amount: number | null
      pdf: string
      post_payment_amount: number
      pre_payment_amount: number
      reason: string | null
      refunds: unknown[]
      status: string
      subtotal: number
      total: number
      type: string
      voided_at: number | null
      livemode: false
    }
    customer: {
      id: string
      object: 'customer'
      address: { [name: string]: unknown } | null
      balance: number
      created: number
      currency: string | null
      delinquent: boolean | null
      description: string | null
      discount: { [name: string]: unknown } | null
      email: string | null
      invoice_prefix: string
      invoice_settings: { [name: string]: unknown }
      livemode: false
      metadata: { [name: string]: string }
      name: string | null
      next_invoice_sequence: number
      phone: string | null
      preferred_locales: unknown[] | null
      shipping: { [name: string]: unknown } | null
      tax?: { [name: string]: unknown }
      tax_exempt: 'exempt' | 'none' | 'reverse' | null
      test_clock: string | null
    }
    customer_balance_transaction: {
      id: string
      object: 'customer_balance_transaction'
      amount: number
      created: number
      credit_note: string | null
      currency: string
      customer: string
      description: string | null
      ending_balance: number
      invoice: string | null
      metadata: { [name: string]: string }
      type: string
      livemode: false
    }
    dispute: {
      id: string
      object: 'dispute'
      amount: number
      balance_transactions: ({ [name: string]: unknown } | null)[]
      charge: string
      created: number
      currency: string
      enhanced_eligibility_types: ('mastercard_compliance' | 'visa_compelling_evidence_3' | 'visa_compliance')[]
      evidence: { [name: string]: unknown }
      evidence_details: { [name: string]: unknown }
      intended_submission_method: 'manual' | 'prefer_manual' | 'prefer_smart_disputes' | 'smart_disputes' | null
      is_charge_refundable: boolean
      livemode: false
      metadata: { [name: string]: string }
      payment_intent: string | null
      reason: string
      status:
        | 'appeal_needs_response'
        | 'appeal_under_review'
        | 'lost'
        | 'needs_response'
        | 'prevented'
        | 'under_review'
        | 'warning_closed'
        | 'warning_needs_response'
        | 'warning_under_review'
        | 'won'
    }
    event: {
      id: string
      object: 'event'
      api_version: string | null
      created: number
      data: { [name: string]: unknown }
      livemode: false
      pending_webhooks: number
      request: { [name: string]: unknown } | null
      type: string
    }
    file: {
      id: string
      object: 'file'
      created: number
      expires_at: number | null
      filename: string | null
      links: { [name: string]: unknown }
      purpose: string
      size: number
      title: string | null
      type: string | null
      url: string | null
      base64?: string
      livemode: false
    }
    file_link: {
      id: string
      object: 'file_link'
      created: number
      expired: boolean
      expires_at: number | null
      file: string
      metadata: { [name: string]: string }
      url: string | null
      livemode: false
    }
    invoice: {
      id: string
      object: 'invoice'
      account_country: string | null
      account_name: string | null
      account_tax_ids: unknown[] | null
      amount_due: number
      amount_overpaid: number
      amount_paid: number
      amount_remaining: number
      amount_shipping: number
      application: string | null
      attempt_count: number
      attempted: boolean
      automatic_tax: {
        disabled_reason: 'finalization_requires_location_inputs' | 'finalization_system_error' | null
        enabled: boolean
        liability: { [name: string]: unknown } | null
        provider: string | null
        status: 'complete' | 'failed' | 'requires_location_inputs' | null
      }
      automatically_finalizes_at: number | null
      billing_reason:
        | 'automatic_pending_invoice_item_invoice'
        | 'manual'
        | 'quote_accept'
        | 'subscription'
        | 'subscription_create'
        | 'subscription_cycle'
        | 'subscription_threshold'
        | 'subscription_update'
        | 'upcoming'
        | null
      collection_method: 'charge_automatically' | 'send_invoice'
      confirmation_secret: { [name: string]: unknown } | null
      created: number
      currency: string
      custom_fields: unknown[] | null
      customer: string | null
      customer_account: string | null
      customer_address: { [name: string]: unknown } | null
      customer_email: string | null
      customer_name: string | null
      customer_phone: string | null
      customer_shipping: { [name: string]: unknown } | null
      customer_tax_exempt: 'exempt' | 'none' | 'reverse' | null
      default_payment_method: string | null
      default_source: string | null
      default_tax_rates: ({ [name: string]: unknown } | null)[]
      description: string | null
      discounts: string[]
      due_date: number | null
      effective_at: number | null
      ending_balance: number | null
      footer: string | null
      from_invoice: { [name: string]: unknown } | null
      issuer: { type: 'account' | 'self' }
      last_finalization_error: { [name: string]: unknown } | null
      latest_revision: string | null
      lines: { [name: string]: unknown }
      livemode: false
      metadata: { [name: string]: string }
      next_payment_attempt: number | null
      number: string | null
      on_behalf_of: string | null
      parent: { [name: string]: unknown } | null
      payment_settings: {
        default_mandate: string | null
        payment_method_options: { [name: string]: unknown } | null
        payment_method_types: unknown[] | null
      }
      payments: { [name: string]: unknown }
      period_end: number
      period_start: number
      post_payment_credit_notes_amount: number
      pre_payment_credit_notes_amount: number
      receipt_number: string | null
      rendering: { [name: string]: unknown } | null
      shipping_cost: { [name: string]: unknown } | null
      shipping_details: { [name: string]: unknown } | null
      starting_balance: number
      statement_descriptor: string | null
      status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void' | null
      status_transitions: {
        finalized_at: number | null
        marked_uncollectible_at: number | null
        paid_at: number | null
        voided_at: number | null
      }
      subtotal: number
      subtotal_excluding_tax: number | null
      test_clock: string | null
      total: number
      total_discount_amounts: unknown[] | null
      total_excluding_tax: number | null
      total_pretax_credit_amounts: unknown[] | null
      total_taxes: unknown[] | null
      webhooks_delivered_at: number | null
      hosted_invoice_url: string | null
      invoice_pdf: string | null
      auto_advance: boolean
      sent_at?: number | null
      coupon?: string | null
    }
    invoiceitem: {
      id: string
      object: 'invoiceitem'
      amount: number
      currency: string
      customer: string
      customer_account: string | null
      date: number
      description: string | null
      discountable: boolean
      discounts: unknown[] | null
      invoice: string | null
      livemode: false
      metadata: { [name: string]: string }
      parent: { [name: string]: unknown } | null
      period: { end: number; start: number }
      pricing: { [name: string]: unknown } | null
      proration: boolean
      quantity: number
      quantity_decimal: string
      tax_rates: unknown[] | null
      test_clock: string | null
    }
    meter: {
      id: string
      object: 'billing.meter'
      created: number
      customer_mapping: { [name: string]: unknown }
      default_aggregation: { [name: string]: unknown }
      display_name: string
      event_name: string
      event_time_window: string | null
      livemode: false
      status: 'active' | 'inactive'
      status_transitions: { [name: string]: unknown }
      updated: number
      value_settings: { [name: string]: unknown }
    }
    meter_event: {
      id: string
      object: 'billing.meter_event'
      created: number
      event_name: string
      identifier: string | null
      livemode: false
      payload: { [name: string]: string }
      timestamp: number | null
      meter?: string | null
      customer?: string | null
      counted?: number | null
    }
    payment_intent: {
      id: string
      object: 'payment_intent'
      allowed_payment_method_types: unknown[] | null
      amount: number
      amount_capturable: number
      amount_received: number
      application: string | null
      application_fee_amount: number | null
      automatic_payment_methods: { [name: string]: unknown } | null
      canceled_at: number | null
      cancellation_reason:
        | 'abandoned'
        | 'automatic'
        | 'duplicate'
        | 'expired'
        | 'failed_invoice'
        | 'fraudulent'
        | 'requested_by_customer'
        | 'void_invoice'
        | null
      capture_method: 'automatic' | 'automatic_async' | 'manual'
      client_secret: string | null
      confirmation_method: 'automatic' | 'manual'
      created: number
      currency: string
      customer: string | null
      customer_account: string | null
      description: string | null
      excluded_payment_method_types: unknown[] | null
      last_payment_error: { [name: string]: unknown } | null
      latest_charge: string | null
      livemode: false
      managed_payments: { [name: string]: unknown } | null
      metadata: { [name: string]: string }
      next_action: { [name: string]: unknown } | null
      on_behalf_of: string | null
      payment_method: string | null
      payment_method_configuration_details: { [name: string]: unknown } | null
      payment_method_options: { [name: string]: unknown } | null
      payment_method_types: string[]
      payment_record: string | null
      processing: { [name: string]: unknown } | null
      receipt_email: string | null
      review: string | null
      setup_future_usage: 'off_session' | 'on_session' | null
      shipping: { [name: string]: unknown } | null
      source: string | null
      statement_descriptor: string | null
      statement_descriptor_suffix: string | null
      status:
        | 'canceled'
        | 'processing'
        | 'requires_action'
        | 'requires_capture'
        | 'requires_confirmation'
        | 'requires_payment_method'
        | 'succeeded'
      transfer_data?: { [name: string]: unknown } | null
      transfer_group: string | null
      amount_details: { [name: string]: unknown }
      payment_details?: { [name: string]: unknown } | null
    }
    payment_link: {
      id: string
      object: 'payment_link'
      active: boolean
      after_completion: { [name: string]: unknown }
      allow_promotion_codes: boolean
      application_fee_amount: number | null
      automatic_tax: { [name: string]: unknown }
      billing_address_collection: string
      created: number
      currency: string
      customer_creation: string
      custom_text: { [name: string]: unknown } | null
      metadata: { [name: string]: string }
      payment_method_types: unknown[] | null
      phone_number_collection: { [name: string]: unknown }
      restrictions: { [name: string]: unknown } | null
      submit_type: string
      subscription_data: { [name: string]: unknown } | null
      transfer_data: { [name: string]: unknown } | null
      url: string
      lines?: unknown[]
      livemode: false
    }
    payment_method: {
      id: string
      object: 'payment_method'
      billing_details: { [name: string]: unknown }
      card: { [name: string]: unknown } | null
      created: number
      customer: string | null
      customer_account: string | null
      link: { [name: string]: unknown } | null
      livemode: false
      metadata: { [name: string]: string }
      sepa_debit: { [name: string]: unknown } | null
      type: string
      us_bank_account: { [name: string]: unknown } | null
    }
    payout: {
      id: string
      object: 'payout'
      amount: number
      application_fee: string | null
      application_fee_amount: number | null
      arrival_date: number
      automatic: boolean
      balance_transaction: string | null
      created: number
      currency: string
      description: string | null
      destination: string | null
      failure_balance_transaction: string | null
      failure_code: string | null
      failure_message: string | null
      livemode: false
      metadata: { [name: string]: string }
      method: string
      original_payout: string | null
      payout_method: string | null
      reconciliation_status: 'completed' | 'in_progress' | 'not_applicable'
      reversed_by: string | null
      source_type: string
      statement_descriptor: string | null
      status: 'canceled' | 'failed' | 'in_transit' | 'paid' | 'pending'
      trace_id: { [name: string]: unknown } | null
      type: 'bank_account' | 'card'
    }
    plan: {
      id: string
      object: 'plan'
      active: boolean
      amount: number | null
      amount_decimal: string | null
      billing_scheme: string
      created: number
      currency: string
      interval: string
      interval_count: number
      metadata: { [name: string]: string }
      meter: string | null
      nickname: string | null
      product: string | null
      tiers_mode: string | null
      transform_usage: { [name: string]: unknown } | null
      trial_period_days: number | null
      usage_type: string
      livemode: false
    }
    price: {
      id: string
      object: 'price'
      active: boolean
      billing_scheme: 'per_unit' | 'tiered'
      created: number
      currency: string
      custom_unit_amount: { [name: string]: unknown } | null
      livemode: false
      lookup_key: string | null
      metadata: { [name: string]: string }
      nickname: string | null
      product: string
      recurring: { [name: string]: unknown } | null
      tax_behavior: 'exclusive' | 'inclusive' | 'unspecified' | null
      tiers?: { [name: string]: unknown }[] | null
      tiers_mode: 'graduated' | 'volume' | null
      transform_quantity: { [name: string]: unknown } | null
      type: 'one_time' | 'recurring'
      unit_amount: number | null
      unit_amount_decimal: string | null
    }
    product: {
      id: string
      object: 'product'
      active: boolean
      created: number
      default_price: string | null
      description: string | null
      images: string[]
      livemode: false
      marketing_features: { [name: string]: unknown }[]
      metadata: { [name: string]: string }
      name: string
      package_dimensions: { [name: string]: unknown } | null
      shippable: boolean | null
      tax_code: string | null
      tax_details: { [name: string]: unknown } | null
      type: 'good' | 'service'
      updated: number
      url: string | null
    }
    promotion_code: {
      id: string
      object: 'promotion_code'
      active: boolean
      code: string
      created: number
      customer: string | null
      customer_account: string | null
      expires_at: number | null
      livemode: false
      max_redemptions: number | null
      metadata: { [name: string]: string }
      promotion: { coupon: string | null; type: 'coupon' }
      restrictions: {
        first_time_transaction: boolean
        minimum_amount: number | null
        minimum_amount_currency: string | null
      }
      times_redeemed: number
    }
    quote: {
      id: string
      object: 'quote'
      amount_subtotal: number
      amount_total: number
      collection_method: string
      computed: { [name: string]: unknown }
      created: number
      currency: string | null
      customer: string | null
      default_tax_rates: unknown[]
      description: string | null
      discounts: unknown[]
      expires_at: number | null
      footer: string | null
      from_quote: { [name: string]: unknown } | null
      header: string | null
      invoice: string | null
      invoice_settings: { [name: string]: unknown } | null
      metadata: { [name: string]: string }
      number: string | null
      status: 'draft' | 'open' | 'accepted' | 'canceled'
      status_transitions: { [name: string]: unknown }
      subscription: string | null
      subscription_data: { [name: string]: unknown }
      subscription_schedule: string | null
      test_clock: string | null
      total_details: { [name: string]: unknown }
      transfer_data: { [name: string]: unknown } | null
      line_items?: { [name: string]: unknown }
      livemode: false
    }
    refund: {
      id: string
      object: 'refund'
      amount: number
      balance_transaction: string | null
      charge: string | null
      created: number
      currency: string
      customer: string | null
      customer_account: string | null
      metadata: { [name: string]: string }
      payment_intent: string | null
      payment_method: string | null
      reason: 'duplicate' | 'expired_uncaptured_charge' | 'fraudulent' | 'requested_by_customer' | null
      receipt_number: string | null
      source_transfer_reversal: string | null
      status: string | null
      transfer_reversal: string | null
      failure_balance_transaction?: string | null
      failure_reason?: string | null
      settles_at?: number | null
    }
    setup_intent: {
      id: string
      object: 'setup_intent'
      allowed_payment_method_types: unknown[] | null
      application: string | null
      automatic_payment_methods: { [name: string]: unknown } | null
      cancellation_reason: 'abandoned' | 'duplicate' | 'requested_by_customer' | null
      client_secret: string | null
      created: number
      customer: string | null
      description: string | null
      excluded_payment_method_types: unknown[] | null
      last_setup_error: { [name: string]: unknown } | null
      latest_attempt: string | null
      livemode: false
      mandate: string | null
      metadata: { [name: string]: string }
      next_action: { [name: string]: unknown } | null
      on_behalf_of: string | null
      payment_method: string | null
      payment_method_configuration_details: { [name: string]: unknown } | null
      payment_method_options: { [name: string]: unknown } | null
      payment_method_types: string[]
      single_use_mandate: string | null
      status:
        | 'canceled'
        | 'processing'
        | 'requires_action'
        | 'requires_confirmation'
        | 'requires_payment_method'
        | 'succeeded'
      usage: string
    }
    shipping_rate: {
      id: string
      object: 'shipping_rate'
      active: boolean
      created: number
      delivery_estimate: { [name: string]: unknown } | null
      display_name: string | null
      fixed_amount: { [name: string]: unknown }
      metadata: { [name: string]: string }
      tax_behavior: string
      tax_code: string | null
      type: string
      livemode: false
    }
    subscription: {
      id: string
      object: 'subscription'
      application: string | null
      application_fee_percent: number | null
      automatic_tax: {
        disabled_reason: 'requires_location_inputs' | null
        enabled: boolean
        liability: { [name: string]: unknown } | null
      }
      billing_cycle_anchor: number
      billing_cycle_anchor_config: { [name: string]: unknown } | null
      billing_mode: { [name: string]: unknown }
      billing_schedules: {
        applies_to: unknown[] | null
        bill_until: {
          computed_timestamp: number
          duration: { [name: string]: unknown } | null
          timestamp: number | null
          type: 'duration' | 'timestamp'
        }
        key: string
      }[]
      billing_thresholds: { [name: string]: unknown } | null
      cancel_at: number | null
      cancel_at_period_end: boolean
      canceled_at: number | null
      cancellation_details: { [name: string]: unknown }
      collection_method: 'charge_automatically' | 'send_invoice'
      created: number
      currency: string
      customer: string
      customer_account: string | null
      days_until_due: number | null
      default_payment_method: string | null
      default_source: string | null
      description: string | null
      discounts: string[]
      ended_at: number | null
      invoice_settings: {
        account_tax_ids: unknown[] | null
        custom_fields: unknown[] | null
        description: string | null
        footer: string | null
        issuer: { type: 'account' | 'self' }
      }
      items: { [name: string]: unknown }
      latest_invoice: string | null
      livemode: false
      managed_payments: { [name: string]: unknown } | null
      metadata: { [name: string]: string }
      next_pending_invoice_item_invoice: number | null
      on_behalf_of: string | null
      pause_collection: { [name: string]: unknown } | null
      payment_settings: { [name: string]: unknown } | null
      pending_invoice_item_interval: { [name: string]: unknown } | null
      pending_setup_intent: string | null
      pending_update: { [name: string]: unknown } | null
      schedule: string | null
      start_date: number
      status:
        | 'active'
        | 'canceled'
        | 'incomplete'
        | 'incomplete_expired'
        | 'past_due'
        | 'paused'
        | 'trialing'
        | 'unpaid'
      test_clock: string | null
      transfer_data: { [name: string]: unknown } | null
      trial_end: number | null
      trial_settings: { [name: string]: unknown } | null
      trial_start: number | null
      renews_at?: number | null
      reminds_at?: number | null
      reminded_at?: number | null
      lapses_at?: number | null
      coupon?: string | null
      coupon_ends?: number | null
    }
    subscription_item: {
      id: string
      object: 'subscription_item'
      billing_thresholds: { [name: string]: unknown } | null
      created: number
      current_period_end: number
      current_period_start: number
      current_trial: { [name: string]: unknown } | null
      discounts: string[]
      metadata: { [name: string]: string }
      plan: { [name: string]: unknown } | null
      price: { [name: string]: unknown } | null
      quantity: number
      subscription: string
      tax_rates: unknown[] | null
      used_from?: number | null
    }
    subscription_schedule: {
      id: string
      object: 'subscription_schedule'
      application: string | null
      billing_mode: { [name: string]: unknown }
      canceled_at: number | null
      completed_at: number | null
      created: number
      current_phase: { [name: string]: unknown } | null
      customer: string
      default_settings: { [name: string]: unknown }
      end_behavior: string
      metadata: { [name: string]: string }
      phases: unknown[]
      released_at: number | null
      released_subscription: string | null
      status: 'not_started' | 'active' | 'completed' | 'released' | 'canceled'
      subscription: string | null
      test_clock: string | null
      turns_at?: number | null
      livemode: false
    }
    tax_id: {
      id: string
      object: 'tax_id'
      country: string | null
      created: number
      customer: string | null
      owner: { [name: string]: unknown } | null
      type: string
      value: string
      verification: { [name: string]: unknown } | null
      livemode: false
    }
    tax_rate: {
      id: string
      object: 'tax_rate'
      active: boolean
      country: string | null
      created: number
      description: string | null
      display_name: string
      effective_percentage: number | null
      flat_amount: { [name: string]: unknown } | null
      inclusive: boolean
      jurisdiction: string | null
      jurisdiction_level: 'city' | 'country' | 'county' | 'district' | 'multiple' | 'state' | null
      livemode: false
      metadata: { [name: string]: string }
      percentage: number
      rate_type: 'flat_amount' | 'percentage' | null
      state: string | null
      tax_type: string | null
    }
    test_helpers_test_clock: {
      id: string
      object: 'test_helpers.test_clock'
      created: number
      deletes_after: number
      frozen_time: number
      livemode: false
      name: string | null
      status: 'advancing' | 'internal_failure' | 'ready'
      status_details: { [name: string]: unknown }
      lag?: number
    }
    token: {
      id: string
      object: 'token'
      card: { [name: string]: unknown } | null
      bank_account: { [name: string]: unknown } | null
      client_ip: string | null
      created: number
      type: string
      used: boolean
      livemode: false
    }
    topup: {
      id: string
      object: 'topup'
      amount: number
      arrives_at?: number | null
      balance_transaction: string | null
      created: number
      currency: string
      description: string | null
      expected_availability_date: number | null
      failure_code: string | null
      failure_message: string | null
      livemode: false
      metadata: { [name: string]: string }
      source: { [name: string]: unknown } | null
      statement_descriptor: string | null
      status: 'pending' | 'succeeded' | 'canceled' | 'failed' | 'reversed'
      transfer_group: string | null
    }
    transfer: {
      id: string
      object: 'transfer'
      amount: number
      amount_reversed: number
      balance_transaction: string | null
      created: number
      currency: string
      description: string | null
      destination: string | null
      destination_payment: string | null
      metadata: { [name: string]: string }
      reversals: { [name: string]: unknown }
      reversed: boolean
      source_transaction: string | null
      source_type: string
      transfer_group: string | null
      livemode: false
    }
    webhook_endpoint: {
      id: string
      object: 'webhook_endpoint'
      api_version: string | null
      application: string | null
      created: number
      description: string | null
      enabled_events: string[]
      livemode: false
      metadata: { [name: string]: string }
      status: string
      url: string
      secret?: string | null
    }
  }
}
