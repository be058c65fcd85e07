/** Types of Twilio-compatible API 2010-04-01, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    factors: {
      sid: string
      account_sid: string
      service_sid: string
      identity: string
      entity_sid: string
      factor_type: string
      status: string
      date_created: string
      date_updated: string
      metadata: { [name: string]: unknown } | null
      friendly_name: string
      secret: string
    }
    challenges: {
      sid: string
      account_sid: string
      service_sid: string
      identity: string
      entity_sid: string
      factor_type: string
      status: string
      date_created: string
      date_updated: string
      metadata: { [name: string]: unknown } | null
      factor_sid: string
      date_responded: string | null
      expiration_date: string
      responded_reason: string | null
      details: { [name: string]: unknown } | null
      hidden_details: { [name: string]: unknown } | null
    }
    contents: {
      sid: string
      account_sid: string
      friendly_name: string | null
      language: string
      variables: { [name: string]: unknown }
      types: { [name: string]: unknown }
      approval: { [name: string]: unknown } | null
      date_created: string
      date_updated: string
    }
    conversation_users: {
      sid: string
      account_sid: string
      chat_service_sid: string | null
      identity: string
      friendly_name: string | null
      attributes: string
      role_sid: string | null
      is_online: boolean | null
      is_notifiable: boolean | null
      date_created: string
      date_updated: string
    }
    conversation_webhooks: components['schemas']['conversation_webhooks']
    studio_flows: components['schemas']['studio_flows']
    studio_executions: components['schemas']['studio_executions']
    callbacks: components['schemas']['callbacks']
    timers: components['schemas']['timers']
    happenings: components['schemas']['happenings']
    accounts: components['schemas']['accounts']
    messages: components['schemas']['messages']
    media: components['schemas']['media']
    calls: components['schemas']['calls']
    recordings: components['schemas']['recordings']
    applications: components['schemas']['applications']
    addresses: components['schemas']['addresses']
    outgoing_caller_ids: components['schemas']['outgoing_caller_ids']
    keys: components['schemas']['keys']
    queues: components['schemas']['queues']
    conferences: components['schemas']['conferences']
    participants: components['schemas']['participants']
    incoming_phone_numbers: components['schemas']['incoming_phone_numbers']
    verify_services: components['schemas']['verify_services']
    verifications: components['schemas']['verifications']
    messaging_services: components['schemas']['messaging_services']
    service_numbers: components['schemas']['service_numbers']
    alpha_senders: components['schemas']['alpha_senders']
    conversations: components['schemas']['conversations']
    conversation_participants: components['schemas']['conversation_participants']
    conversation_messages: components['schemas']['conversation_messages']
  }
  events: {
    'message.queued': components['schemas']['happenings']
    'message.accepted': components['schemas']['happenings']
    'message.scheduled': components['schemas']['happenings']
    'message.sent': components['schemas']['happenings']
    'message.delivered': components['schemas']['happenings']
    'message.undelivered': components['schemas']['happenings']
    'message.failed': components['schemas']['happenings']
    'message.canceled': components['schemas']['happenings']
    'message.received': components['schemas']['happenings']
    'call.initiated': components['schemas']['happenings']
    'call.ringing': components['schemas']['happenings']
    'call.answered': components['schemas']['happenings']
    'call.completed': components['schemas']['happenings']
    'call.busy': components['schemas']['happenings']
    'call.no-answer': components['schemas']['happenings']
    'call.failed': components['schemas']['happenings']
    'call.canceled': components['schemas']['happenings']
    'recording.completed': components['schemas']['happenings']
  }
}

export interface components {
  schemas: {
    accounts: {
      sid: string
      friendly_name: string
      auth_token: string
      owner_account_sid: string
      status: string
      type: string
      date_created: string
      date_updated: string
    }
    addresses: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      customer_name: string
      street: string
      street_secondary: string | null
      city: string
      region: string
      postal_code: string
      iso_country: string
      friendly_name: string | null
      emergency_enabled: boolean
      validated: boolean
      verified: boolean
    }
    alpha_senders: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      service_sid: string
      alpha_sender: string
      capabilities: string[]
    }
    applications: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      api_version: string
      friendly_name: string | null
      voice_url: string | null
      voice_method: string
      voice_fallback_url: string | null
      voice_fallback_method: string
      voice_caller_id_lookup: boolean
      sms_url: string | null
      sms_method: string
      sms_fallback_url: string | null
      sms_fallback_method: string
      status_callback: string | null
      status_callback_method: string
      sms_status_callback: string | null
      message_status_callback: string | null
      public_application_connect_enabled: boolean
    }
    callbacks: { id: string; url: string; secret: string; on: boolean }
    calls: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      api_version: string
      to: string
      from: string
      to_formatted: string
      from_formatted: string
      status: string
      direction: string
      start_time: string | null
      end_time: string | null
      duration: string | null
      price: string | null
      price_unit: string
      answered_by: string | null
      caller_name: string | null
      parent_call_sid: string | null
      phone_number_sid: string | null
      forwarded_from: string | null
      group_sid: string | null
      queue_time: string
      trunk_sid: string | null
      annotation: string | null
      callback: string
      callback_events: string[]
      record: boolean
      recording_callback: string
      rings: number
    }
    conferences: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      api_version: string
      friendly_name: string
      status: string
      region: string
      reason_conference_ended: string | null
      call_sid_ending_conference: string | null
    }
    conversation_messages: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      conversation_sid: string
      participant_sid: string | null
      author: string
      body: string | null
      attributes: string
      media: string | null
      delivery: string | null
      content_sid: string | null
      index: number
    }
    conversation_participants: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      conversation_sid: string
      identity: string | null
      role_sid: string | null
      attributes: string
      last_read_message_index: number | null
      last_read_timestamp: string | null
      messaging_binding: { [name: string]: unknown } | null
    }
    conversation_webhooks: {
      readonly sid: string
      account_sid: string
      conversation_sid: string
      target: string
      configuration: { [name: string]: unknown }
      date_created: string
      date_updated: string
    }
    conversations: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      chat_service_sid: string
      messaging_service_sid: string | null
      friendly_name: string | null
      unique_name: string | null
      attributes: string
      state: string
      timers: { [name: string]: unknown }
      bindings: string | null
    }
    happenings: { id: string; type: string; callback: string; payload: { [name: string]: unknown } }
    incoming_phone_numbers: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      api_version: string
      phone_number: string
      friendly_name: string
      voice_url: string | null
      voice_method: string
      voice_fallback_url: string | null
      voice_fallback_method: string
      voice_caller_id_lookup: boolean
      sms_url: string | null
      sms_method: string
      sms_fallback_url: string | null
      sms_fallback_method: string
      status_callback: string | null
      status_callback_method: string
      voice_application_sid: string | null
      sms_application_sid: string | null
      trunk_sid: string | null
      emergency_status: string
      emergency_address_sid: string | null
      bundle_sid: string | null
      address_sid: string | null
      identity_sid: string | null
      voice_receive_mode: string
      beta: boolean
      origin: string
      status: string
      type: string
      address_requirements: string
      emergency_address_status: string
      capabilities: { [name: string]: unknown }
    }
    keys: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      friendly_name: string
      secret: string
    }
    media: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      parent_sid: string
      content_type: string
    }
    messages: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      api_version: string
      to: string
      from: string | null
      body: string
      status: string
      direction: string
      num_segments: string
      num_media: string
      price: string | null
      price_unit: string
      error_code: number | null
      error_message: string | null
      messaging_service_sid: string | null
      date_sent: string | null
      callback: string
    }
    messaging_services: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      friendly_name: string
      inbound_request_url: string | null
      inbound_method: string
      fallback_url: string | null
      fallback_method: string
      status_callback: string | null
      scan_message_content: string
      validity_period: number
      usecase: string
      us_app_to_person_registered: boolean
      sticky_sender: boolean
      mms_converter: boolean
      smart_encoding: boolean
      fallback_to_long_code: boolean
      area_code_geomatch: boolean
      synchronous_validation: boolean
      use_inbound_webhook_on_number: boolean
    }
    outgoing_caller_ids: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      phone_number: string
      friendly_name: string
    }
    participants: {
      call_sid: string
      account_sid: string
      date_created: string
      date_updated: string
      conference_sid: string
      label: string | null
      call_sid_to_coach: string | null
      coaching: boolean
      muted: boolean
      hold: boolean
      status: string
      start_conference_on_enter: boolean
      end_conference_on_exit: boolean
      queue_time: string
    }
    queues: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      friendly_name: string
      current_size: number
      max_size: number
      average_wait_time: number
    }
    recordings: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      api_version: string
      call_sid: string
      conference_sid: string | null
      status: string
      duration: string
      channels: number
      source: string
      start_time: string
      price: string | null
      price_unit: string
      error_code: string | null
      encryption_details: string | null
      track: string
    }
    service_numbers: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      service_sid: string
      phone_number: string
      country_code: string
      capabilities: string[]
    }
    studio_executions: {
      readonly sid: string
      account_sid: string
      flow_sid: string
      contact_channel_address: string
      context: { [name: string]: unknown }
      status: string
      date_created: string
      date_updated: string
    }
    studio_flows: {
      readonly sid: string
      account_sid: string
      friendly_name: string
      status: string
      definition: { [name: string]: unknown }
      revision: number
      commit_message: string | null
      valid: boolean
      errors: unknown[]
      warnings: unknown[]
      date_created: string
      date_updated: string
    }
    timers: { id: string; at: string; subject: string; stage: string }
    verifications: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      service_sid: string
      to: string
      channel: string
      status: string
      valid: boolean
      amount: string | null
      payee: string | null
      lookup: { [name: string]: unknown }
      sna: string | null
      send_code_attempts: string[]
      code: string
      checks: number
    }
    verify_services: {
      sid: string
      account_sid: string
      date_created: string
      date_updated: string
      friendly_name: string
      code_length: number
      lookup_enabled: boolean
      psd2_enabled: boolean
      skip_sms_to_landlines: boolean
      dtmf_input_required: boolean
      tts_name: string | null
      do_not_share_warning_enabled: boolean
      custom_code_enabled: boolean
      default_template_sid: string | null
      verify_event_subscription_enabled: boolean
      push: { [name: string]: unknown }
      totp: { [name: string]: unknown }
      whatsapp: { [name: string]: unknown }
    }
  }
}
