/** Types of Ledgerline Payments API 2026-09-01, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    customers: components['schemas']['Customer']
    payment_methods: components['schemas']['PaymentMethod']
    payments: components['schemas']['Payment']
    refunds: components['schemas']['Refund']
    disputes: components['schemas']['Dispute']
    invoices: components['schemas']['Invoice']
    plans: components['schemas']['Plan']
    subscriptions: components['schemas']['Subscription']
    payouts: components['schemas']['Payout']
  }
  events: {
    'customer.created': components['schemas']['Customer']
    'customer.updated': components['schemas']['Customer']
    'customer.deleted': null
    'payment_method.created': components['schemas']['PaymentMethod']
    'payment_method.updated': components['schemas']['PaymentMethod']
    'payment_method.deleted': null
    'payment.created': components['schemas']['Payment']
    'payment.updated': components['schemas']['Payment']
    'payment.deleted': null
    'refund.created': components['schemas']['Refund']
    'refund.updated': components['schemas']['Refund']
    'refund.deleted': null
    'dispute.created': components['schemas']['Dispute']
    'dispute.updated': components['schemas']['Dispute']
    'dispute.deleted': null
    'invoice.created': components['schemas']['Invoice']
    'invoice.updated': components['schemas']['Invoice']
    'invoice.deleted': null
    'plan.created': components['schemas']['Plan']
    'plan.updated': components['schemas']['Plan']
    'plan.deleted': null
    'subscription.created': components['schemas']['Subscription']
    'subscription.updated': components['schemas']['Subscription']
    'subscription.deleted': null
    'payout.created': components['schemas']['Payout']
    'payout.updated': components['schemas']['Payout']
    'payout.deleted': null
  }
}

export interface components {
  schemas: {
    Customer: {
      readonly id: string
      name: string
      email: string
      phone: string | null
      status: 'active' | 'archived'
      address: { line1: string; city: string; postal_code: string; country: string }
      currency: 'EUR' | 'USD' | 'GBP' | 'SEK'
      readonly balance: number
      default_payment_method_id: string | null
      metadata: { [name: string]: string }
      readonly created_at: string
      readonly updated_at: string
    }
    Dispute: {
      id: string
      payment_id: string
      amount: number
      currency: 'EUR' | 'USD' | 'GBP' | 'SEK'
      reason: 'product_not_received' | 'fraudulent' | 'duplicate' | 'product_unacceptable' | 'unrecognized'
      status: 'needs_response' | 'under_review' | 'won' | 'lost'
      is_charge_refundable: boolean
      evidence_due_at: string
      readonly created_at: string
      readonly updated_at: string
    }
    Invoice: {
      readonly id: string
      readonly number: string
      readonly status: 'paid' | 'open' | 'draft' | 'overdue' | 'void' | 'uncollectible'
      customer_id: string
      subscription_id: string | null
      currency: 'EUR' | 'USD' | 'GBP' | 'SEK'
      lines: { description: string; quantity: number; unit_amount: number; amount: number }[]
      readonly subtotal: number
      readonly tax: number
      readonly total: number
      memo: string | null
      due_at: string
      readonly paid_at: string | null
      readonly payment_page_url: string
      metadata: { [name: string]: string }
      readonly created_at: string
      readonly updated_at: string
    }
    Payment: {
      readonly id: string
      amount: number
      currency: 'EUR' | 'USD' | 'GBP' | 'SEK'
      readonly status: 'succeeded' | 'processing' | 'requires_action' | 'requires_capture' | 'failed' | 'canceled'
      customer_id: string
      invoice_id: string | null
      payment_method_id: string | null
      capture_method: 'automatic' | 'manual'
      description: string | null
      statement_descriptor: string | null
      readonly risk: { level: 'normal' | 'elevated' | 'highest'; score: number }
      metadata: { [name: string]: string }
      readonly created_at: string
      readonly updated_at: string
    }
    PaymentMethod: {
      readonly id: string
      readonly customer_id: string
      type: 'card'
      card: { brand: 'visa' | 'mastercard' | 'amex' | 'maestro'; last4: string; exp_month: number; exp_year: number }
      readonly created_at: string
      readonly updated_at: string
    }
    Payout: {
      id: string
      amount: number
      currency: 'EUR' | 'USD' | 'GBP' | 'SEK'
      status: 'paid' | 'in_transit' | 'pending' | 'failed'
      arrival_date: string
      destination: { bank_name: string; last4: string }
      readonly created_at: string
      readonly updated_at: string
    }
    Plan: {
      readonly id: string
      name: string
      amount: number
      currency: 'EUR' | 'USD' | 'GBP' | 'SEK'
      interval: 'month' | 'year'
      trial_days: number
      status: 'active' | 'archived'
      features: string[]
      readonly created_at: string
      readonly updated_at: string
    }
    Refund: {
      readonly id: string
      payment_id: string
      amount: number
      readonly currency: 'EUR' | 'USD' | 'GBP' | 'SEK'
      reason: 'requested_by_customer' | 'duplicate' | 'fraudulent'
      readonly status: 'succeeded' | 'pending' | 'failed'
      metadata: { [name: string]: string }
      readonly created_at: string
      readonly updated_at: string
    }
    Subscription: {
      readonly id: string
      customer_id: string
      plan_id: string
      readonly status: 'active' | 'trialing' | 'past_due' | 'paused' | 'canceled'
      quantity: number
      cancel_at_period_end: boolean
      readonly current_period_start: string
      readonly current_period_end: string
      trial_ends_at: string | null
      readonly canceled_at: string | null
      metadata: { [name: string]: string }
      readonly created_at: string
      readonly updated_at: string
    }
  }
}
