/** Types of Square-compatible API 2026-09-16, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    merchants: components['schemas']['merchants']
    locations: components['schemas']['locations']
    customers: components['schemas']['customers']
    customer_groups: components['schemas']['customer_groups']
    cards: components['schemas']['cards']
    orders: components['schemas']['orders']
    payments: components['schemas']['payments']
    refunds: components['schemas']['refunds']
    catalog_objects: components['schemas']['catalog_objects']
    catalog_versions: components['schemas']['catalog_versions']
    inventory_counts: components['schemas']['inventory_counts']
    inventory_changes: components['schemas']['inventory_changes']
    invoices: components['schemas']['invoices']
    subscriptions: components['schemas']['subscriptions']
    team_members: components['schemas']['team_members']
    gift_cards: components['schemas']['gift_cards']
    gift_card_activities: components['schemas']['gift_card_activities']
    disputes: components['schemas']['disputes']
    dispute_evidence: components['schemas']['dispute_evidence']
    payouts: components['schemas']['payouts']
    payment_links: components['schemas']['payment_links']
    device_codes: components['schemas']['device_codes']
    terminal_checkouts: components['schemas']['terminal_checkouts']
    webhook_subscriptions: components['schemas']['webhook_subscriptions']
    events: components['schemas']['events']
    tokens: components['schemas']['tokens']
    happenings: components['schemas']['happenings']
    loyalty_programs: {
      id: string
      status: string
      reward_tiers: unknown[]
      terminology: { [name: string]: unknown }
      location_ids: unknown[]
      accrual_rules: unknown[]
      created_at: string
      updated_at: string
    }
    loyalty_accounts: {
      readonly id: string
      program_id: string
      balance: number
      lifetime_points: number
      customer_id: string
      enrolled_at: string
      mapping: { [name: string]: unknown }
      created_at: string
      updated_at: string
    }
    loyalty_rewards: {
      readonly id: string
      status: string
      loyalty_account_id: string
      reward_tier_id: string
      points: number
      order_id: string | null
      redeemed_at: string | null
      created_at: string
      updated_at: string
    }
    loyalty_events: {
      readonly id: string
      type: string
      loyalty_account_id: string
      source: string
      location_id: string | null
      created_at: string
      accumulate_points: { [name: string]: unknown } | null
      adjust_points: { [name: string]: unknown } | null
      create_reward: { [name: string]: unknown } | null
      redeem_reward: { [name: string]: unknown } | null
      delete_reward: { [name: string]: unknown } | null
    }
    bookings: {
      readonly id: string
      version: number
      status: string
      start_at: string
      location_id: string
      customer_id: string | null
      customer_note: string | null
      seller_note: string | null
      appointment_segments: unknown[]
      created_at: string
      updated_at: string
    }
    attribute_definitions: {
      id: string
      key: string
      name: string
      description: string
      schema: { [name: string]: unknown }
      visibility: string
      version: number
      created_at: string
      updated_at: string
    }
    attributes: {
      id: string
      owner: string
      key: string
      value: unknown
      version: number
      created_at: string
      updated_at: string
    }
    vendors: {
      readonly id: string
      name: string
      status: string
      account_number: string | null
      note: string | null
      address: { [name: string]: unknown } | null
      contacts: unknown[] | null
      version: number
      created_at: string
      updated_at: string
    }
  }
  events: {
    'loyalty.account.created': Api['records']['loyalty_accounts']
    'loyalty.account.updated': Api['records']['loyalty_accounts']
    'loyalty.event.created': Api['records']['loyalty_events']
    'booking.created': Api['records']['bookings']
    'booking.updated': Api['records']['bookings']
    'vendor.created': Api['records']['vendors']
    'vendor.updated': Api['records']['vendors']
    'customer.created': components['schemas']['customers']
    'customer.updated': components['schemas']['customers']
    'customer.deleted': components['schemas']['customers']
    'card.created': components['schemas']['cards']
    'card.updated': components['schemas']['cards']
    'card.disabled': components['schemas']['cards']
    'payment.created': components['schemas']['payments']
    'payment.updated': components['schemas']['payments']
    'refund.created': components['schemas']['refunds']
    'refund.updated': components['schemas']['refunds']
    'order.created': components['schemas']['order_event']
    'order.updated': components['schemas']['order_event']
    'order.fulfillment.updated': components['schemas']['order_event']
    'catalog.version.updated': components['schemas']['catalog_versions']
    'inventory.count.updated': components['schemas']['inventory_counts']
    'invoice.created': components['schemas']['invoices']
    'invoice.updated': components['schemas']['invoices']
    'invoice.published': components['schemas']['invoices']
    'invoice.payment_made': components['schemas']['invoices']
    'invoice.canceled': components['schemas']['invoices']
    'invoice.deleted': components['schemas']['invoices']
    'invoice.scheduled_charge_failed': { [name: string]: unknown }
    'subscription.created': components['schemas']['subscriptions']
    'subscription.updated': components['schemas']['subscriptions']
    'location.created': components['schemas']['locations']
    'location.updated': components['schemas']['locations']
    'team_member.created': components['schemas']['team_members']
    'team_member.updated': components['schemas']['team_members']
    'gift_card.created': components['schemas']['gift_cards']
    'gift_card.updated': components['schemas']['gift_cards']
    'gift_card.activity.created': components['schemas']['gift_card_activities']
    'gift_card.customer_linked': { [name: string]: unknown }
    'gift_card.customer_unlinked': { [name: string]: unknown }
    'dispute.created': components['schemas']['disputes']
    'dispute.state.updated': components['schemas']['disputes']
    'dispute.evidence.created': components['schemas']['dispute_evidence']
    'dispute.evidence.deleted': components['schemas']['dispute_evidence']
    'payout.sent': components['schemas']['payouts']
    'payout.paid': components['schemas']['payouts']
    'terminal.checkout.created': components['schemas']['terminal_checkouts']
    'terminal.checkout.updated': components['schemas']['terminal_checkouts']
    'oauth.authorization.revoked': { [name: string]: unknown }
  }
}

export interface components {
  schemas: {
    cards: {
      readonly id: string
      card_brand: string | null
      last_4: string | null
      cardholder_name: string | null
      fingerprint: string | null
      customer_id: string | null
      merchant_id: string | null
      reference_id: string | null
      card_type: string | null
      prepaid_type: string | null
      bin: string | null
      created_at: string | null
      disabled_at: string | null
      exp_month: number | null
      exp_year: number | null
      billing_address: { [name: string]: unknown } | null
      enabled: boolean | null
      version: number
    }
    catalog_objects: {
      readonly id: string
      type: string | null
      updated_at: string | null
      parent: string | null
      image_id: string | null
      version: number
      present_at_all_locations: boolean | null
      is_deleted: boolean
      custom_attribute_values: { [name: string]: unknown } | null
      item_data: { [name: string]: unknown } | null
      item_variation_data: { [name: string]: unknown } | null
      category_data: { [name: string]: unknown } | null
      tax_data: { [name: string]: unknown } | null
      discount_data: { [name: string]: unknown } | null
      modifier_list_data: { [name: string]: unknown } | null
      modifier_data: { [name: string]: unknown } | null
      image_data: { [name: string]: unknown } | null
      subscription_plan_data: { [name: string]: unknown } | null
      subscription_plan_variation_data: { [name: string]: unknown } | null
      item_option_data: { [name: string]: unknown } | null
      item_option_value_data: { [name: string]: unknown } | null
      pricing_rule_data: { [name: string]: unknown } | null
      product_set_data: { [name: string]: unknown } | null
      time_period_data: { [name: string]: unknown } | null
      measurement_unit_data: { [name: string]: unknown } | null
      quick_amounts_settings_data: { [name: string]: unknown } | null
      custom_attribute_definition_data: { [name: string]: unknown } | null
      present_at_location_ids: unknown[] | null
      absent_at_location_ids: unknown[] | null
    }
    catalog_versions: { readonly id: string; updated_at: string | null }
    customer_groups: { readonly id: string; name: string | null; created_at: string | null; updated_at: string | null }
    customers: {
      readonly id: string
      created_at: string | null
      updated_at: string | null
      given_name: string | null
      family_name: string | null
      nickname: string | null
      company_name: string | null
      email_address: string | null
      phone_number: string | null
      birthday: string | null
      reference_id: string | null
      note: string | null
      creation_source: string | null
      address: { [name: string]: unknown } | null
      tax_ids: { [name: string]: unknown } | null
      group_ids: unknown[] | null
      version: number
    }
    device_codes: {
      readonly id: string
      name: string | null
      code: string | null
      product_type: string | null
      location_id: string | null
      status: string | null
      pair_by: string | null
      created_at: string | null
      status_changed_at: string | null
      device_id: string | null
      paired_at: string | null
    }
    dispute_evidence: {
      readonly id: string
      dispute_id: string | null
      evidence_text: string | null
      evidence_type: string | null
      uploaded_at: string | null
    }
    disputes: {
      readonly id: string
      reason: string | null
      state: string | null
      due_at: string | null
      card_brand: string | null
      created_at: string | null
      updated_at: string | null
      reported_at: string | null
      reported_date: string | null
      location_id: string | null
      amount_money: { [name: string]: unknown } | null
      disputed_payment: { [name: string]: unknown } | null
      evidence_ids: unknown[] | null
      version: number
    }
    events: {
      readonly event_id: string
      merchant_id: string | null
      location_id: string | null
      type: string | null
      created_at: string | null
      data: { [name: string]: unknown } | null
    }
    gift_card_activities: {
      readonly id: string
      type: string | null
      location_id: string | null
      created_at: string | null
      gift_card_id: string | null
      gift_card_gan: string | null
      gift_card_balance_money: { [name: string]: unknown } | null
      activate_activity_details: { [name: string]: unknown } | null
      load_activity_details: { [name: string]: unknown } | null
      adjust_increment_activity_details: { [name: string]: unknown } | null
      redeem_activity_details: { [name: string]: unknown } | null
      adjust_decrement_activity_details: { [name: string]: unknown } | null
      clear_balance_activity_details: { [name: string]: unknown } | null
      deactivate_activity_details: { [name: string]: unknown } | null
      block_activity_details: { [name: string]: unknown } | null
      unblock_activity_details: { [name: string]: unknown } | null
    }
    gift_cards: {
      readonly id: string
      type: string | null
      gan_source: string | null
      state: string | null
      gan: string | null
      created_at: string | null
      balance_money: { [name: string]: unknown } | null
      customer_ids: unknown[] | null
    }
    happenings: {
      readonly id: string
      told: string | null
      subject: string | null
      record_id: string | null
      data: { [name: string]: unknown } | null
    }
    inventory_changes: {
      readonly id: string
      kind: string | null
      reference_id: string | null
      from_state: string | null
      to_state: string | null
      state: string | null
      location_id: string | null
      from_location_id: string | null
      to_location_id: string | null
      catalog_object_id: string | null
      catalog_object_type: string | null
      quantity: string | null
      occurred_at: string | null
      created_at: string | null
      team_member_id: string | null
      total_price_money: { [name: string]: unknown } | null
    }
    inventory_counts: {
      readonly id: string
      catalog_object_id: string | null
      catalog_object_type: string | null
      state: string | null
      location_id: string | null
      quantity: string | null
      calculated_at: string | null
    }
    invoices: {
      readonly id: string
      location_id: string | null
      order_id: string | null
      delivery_method: string | null
      invoice_number: string | null
      title: string | null
      description: string | null
      scheduled_at: string | null
      public_url: string | null
      status: string | null
      timezone: string | null
      created_at: string | null
      updated_at: string | null
      subscription_id: string | null
      sale_or_service_date: string | null
      payment_conditions: string | null
      charge_at: string | null
      primary_recipient: { [name: string]: unknown } | null
      next_payment_amount_money: { [name: string]: unknown } | null
      accepted_payment_methods: { [name: string]: unknown } | null
      payment_requests: unknown[]
      custom_fields: unknown[] | null
      version: number
      store_payment_method_enabled: boolean
    }
    locations: {
      readonly id: string
      name: string | null
      timezone: string | null
      status: string | null
      created_at: string | null
      merchant_id: string | null
      country: string | null
      language_code: string | null
      currency: string | null
      phone_number: string | null
      business_name: string | null
      type: string | null
      website_url: string | null
      business_email: string | null
      description: string | null
      twitter_username: string | null
      instagram_username: string | null
      facebook_url: string | null
      mcc: string | null
      address: { [name: string]: unknown } | null
      business_hours: { [name: string]: unknown } | null
      coordinates: { [name: string]: unknown } | null
      capabilities: unknown[]
    }
    merchants: {
      readonly id: string
      business_name: string | null
      country: string | null
      language_code: string | null
      currency: string | null
      status: string | null
      main_location_id: string | null
      created_at: string | null
    }
    order_event: {
      order_id?: string
      location_id?: string
      state?: string
      created_at?: string
      updated_at?: string
      version?: number
    }
    orders: {
      readonly id: string
      location_id: string | null
      reference_id: string | null
      customer_id: string | null
      ticket_name: string | null
      state: string | null
      created_at: string | null
      updated_at: string | null
      closed_at: string | null
      source: { [name: string]: unknown } | null
      metadata: { [name: string]: unknown } | null
      pricing_options: { [name: string]: unknown } | null
      net_amounts: { [name: string]: unknown } | null
      total_money: { [name: string]: unknown } | null
      total_tax_money: { [name: string]: unknown } | null
      total_discount_money: { [name: string]: unknown } | null
      total_tip_money: { [name: string]: unknown } | null
      total_service_charge_money: { [name: string]: unknown } | null
      net_amount_due_money: { [name: string]: unknown } | null
      line_items: unknown[] | null
      taxes: unknown[] | null
      discounts: unknown[] | null
      service_charges: unknown[] | null
      fulfillments: unknown[] | null
      tenders: unknown[] | null
      refunds: unknown[] | null
      version: number
    }
    payment_links: {
      readonly id: string
      description: string | null
      order_id: string | null
      url: string | null
      long_url: string | null
      created_at: string | null
      updated_at: string | null
      payment_note: string | null
      checkout_options: { [name: string]: unknown } | null
      pre_populated_data: { [name: string]: unknown } | null
      version: number
    }
    payments: {
      readonly id: string
      created_at: string | null
      updated_at: string | null
      status: string | null
      delay_duration: string | null
      delay_action: string | null
      delayed_until: string | null
      source_type: string | null
      location_id: string | null
      order_id: string | null
      reference_id: string | null
      customer_id: string | null
      buyer_email_address: string | null
      note: string | null
      statement_description_identifier: string | null
      team_member_id: string | null
      receipt_number: string | null
      receipt_url: string | null
      version_token: string | null
      idempotency_key: string | null
      settles_at: string | null
      payout_at: string | null
      risk_level: string | null
      terminal_checkout_id: string | null
      amount_money: { [name: string]: unknown } | null
      tip_money: { [name: string]: unknown } | null
      total_money: { [name: string]: unknown } | null
      app_fee_money: { [name: string]: unknown } | null
      approved_money: { [name: string]: unknown } | null
      refunded_money: { [name: string]: unknown } | null
      card_details: { [name: string]: unknown } | null
      cash_details: { [name: string]: unknown } | null
      external_details: { [name: string]: unknown } | null
      bank_account_details: { [name: string]: unknown } | null
      billing_address: { [name: string]: unknown } | null
      shipping_address: { [name: string]: unknown } | null
      processing_fee: unknown[] | null
      refund_ids: unknown[] | null
      capabilities: unknown[]
    }
    payouts: {
      readonly id: string
      status: string | null
      location_id: string | null
      created_at: string | null
      updated_at: string | null
      type: string | null
      arrival_date: string | null
      arrives_at: string | null
      amount_money: { [name: string]: unknown } | null
      entry: { [name: string]: unknown } | null
      version: number
    }
    refunds: {
      readonly id: string
      status: string | null
      location_id: string | null
      payment_id: string | null
      order_id: string | null
      reason: string | null
      created_at: string | null
      updated_at: string | null
      destination_type: string | null
      settles_at: string | null
      team_member_id: string | null
      amount_money: { [name: string]: unknown } | null
      app_fee_money: { [name: string]: unknown } | null
    }
    subscriptions: {
      readonly id: string
      location_id: string | null
      plan_variation_id: string | null
      customer_id: string | null
      start_date: string | null
      canceled_date: string | null
      charged_through_date: string | null
      status: string | null
      tax_percentage: string | null
      created_at: string | null
      card_id: string | null
      timezone: string | null
      bill_at: string | null
      resume_at: string | null
      pause_at: string | null
      price_override_money: { [name: string]: unknown } | null
      source: { [name: string]: unknown } | null
      invoice_ids: unknown[] | null
      actions: unknown[]
      phases: unknown[] | null
      version: number
      monthly_billing_anchor_date: number | null
    }
    team_members: {
      readonly id: string
      reference_id: string | null
      status: string | null
      given_name: string | null
      family_name: string | null
      email_address: string | null
      phone_number: string | null
      created_at: string | null
      updated_at: string | null
      is_owner: boolean
      assigned_locations: { [name: string]: unknown } | null
    }
    terminal_checkouts: {
      readonly id: string
      reference_id: string | null
      note: string | null
      order_id: string | null
      deadline_duration: string | null
      status: string | null
      cancel_reason: string | null
      created_at: string | null
      updated_at: string | null
      payment_type: string | null
      location_id: string | null
      team_member_id: string | null
      customer_id: string | null
      statement_description_identifier: string | null
      acts_at: string | null
      amount_money: { [name: string]: unknown } | null
      tip_money: { [name: string]: unknown } | null
      app_fee_money: { [name: string]: unknown } | null
      payment_options: { [name: string]: unknown } | null
      device_options: { [name: string]: unknown } | null
      payment_ids: unknown[] | null
    }
    tokens: {
      readonly id: string
      client_id: string | null
      refresh_token: string | null
      expires_at: string | null
      merchant_id: string | null
      scopes: unknown[]
    }
    webhook_subscriptions: {
      readonly id: string
      name: string | null
      notification_url: string | null
      api_version: string | null
      signature_key: string | null
      created_at: string | null
      updated_at: string | null
      enabled: boolean
      event_types: unknown[]
    }
  }
}
