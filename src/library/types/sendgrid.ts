/** Types of SendGrid-compatible API v3, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    imports: components['schemas']['imports']
    domains: components['schemas']['domains']
    parse_settings: components['schemas']['parse_settings']
    timers: components['schemas']['timers']
    happenings: components['schemas']['happenings']
    messages: components['schemas']['messages']
    batches: components['schemas']['batches']
    scheduled_sends: components['schemas']['scheduled_sends']
    templates: components['schemas']['templates']
    template_versions: components['schemas']['template_versions']
    contacts: components['schemas']['contacts']
    lists: components['schemas']['lists']
    field_definitions: components['schemas']['field_definitions']
    bounces: components['schemas']['bounces']
    blocks: components['schemas']['blocks']
    invalid_emails: components['schemas']['invalid_emails']
    spam_reports: components['schemas']['spam_reports']
    unsubscribes: components['schemas']['unsubscribes']
    groups: components['schemas']['groups']
    group_suppressions: components['schemas']['group_suppressions']
    api_keys: components['schemas']['api_keys']
    verified_senders: components['schemas']['verified_senders']
    event_webhooks: components['schemas']['event_webhooks']
    senders: {
      readonly id: number
      nickname: string
      from: { [name: string]: unknown }
      reply_to: { [name: string]: unknown }
      address: string | null
      address_2: string | null
      city: string | null
      state: string | null
      zip: string | null
      country: string | null
      verified: { [name: string]: unknown }
      locked: boolean
      created_at: string
      updated_at: string
    }
    designs: {
      id: string
      name: string
      html_content: string
      plain_content: string
      generate_plain_content: boolean
      subject: string
      editor: string
      categories: unknown[]
      thumbnail_url: string
      created_at: string
      updated_at: string
    }
    segments: {
      id: string
      name: string
      query_dsl: string
      parent_list_ids: unknown[]
      query_version: string
      created_at: string
      updated_at: string
    }
    singlesends: {
      id: string
      name: string
      status: string
      send_at: string | null
      send_to: { [name: string]: unknown }
      email_config: { [name: string]: unknown }
      categories: unknown[]
      is_abtest: boolean
      warnings: unknown[]
      created_at: string
      updated_at: string
    }
    exports: { id: string; ready: string; created_at: string; contact_count: number }
    teammates: {
      username: string
      email: string
      token: string
      first_name: string
      last_name: string
      user_type: string
      is_admin: boolean
      scopes: unknown[]
      pending: boolean
      expiration_date: number
    }
    subusers: { username: string; readonly id: number; email: string; disabled: boolean; ips: unknown[] }
    settings: { id: string; kind: string; title: string; values: { [name: string]: unknown } }
    pools: { name: string }
    alerts: {
      readonly id: number
      type: string
      email_to: string
      frequency: string | null
      percentage: number | null
      created_at: number
      updated_at: number
    }
    links: {
      readonly id: number
      user_id: number
      domain: string
      subdomain: string
      username: string
      default: boolean
      legacy: boolean
      valid: boolean
    }
  }
  events: {
    processed: components['schemas']['happenings']
    deferred: components['schemas']['happenings']
    delivered: components['schemas']['happenings']
    open: components['schemas']['happenings']
    click: components['schemas']['happenings']
    bounce: components['schemas']['happenings']
    dropped: components['schemas']['happenings']
    spamreport: components['schemas']['happenings']
    unsubscribe: components['schemas']['happenings']
    group_unsubscribe: components['schemas']['happenings']
  }
}

export interface components {
  schemas: {
    api_keys: { api_key_id: string; name: string; scopes: unknown[]; secret: string }
    batches: { batch_id: string }
    blocks: { email: string; created: number; reason: string; status: string }
    bounces: { email: string; created: number; reason: string; status: string }
    contacts: {
      id: string
      email: string
      alternate_emails: unknown[]
      first_name: string
      last_name: string
      phone_number: string
      city: string
      country: string
      postal_code: string
      address_line_1: string
      address_line_2: string
      state_province_region: string
      external_id: string
      unique_name: string
      custom_fields: { [name: string]: unknown }
      list_ids: unknown[]
      created_at: string
      updated_at: string
    }
    domains: {
      readonly id: number
      user_id: number
      domain: string
      subdomain: string
      username: string
      ips: unknown[]
      custom_spf: boolean
      default: boolean
      legacy: boolean
      automatic_security: boolean
      valid: boolean
      dns: { [name: string]: unknown }
    }
    event_webhooks: {
      id: string
      enabled: boolean
      url: string
      friendly_name: string
      processed: boolean
      deferred: boolean
      delivered: boolean
      open: boolean
      click: boolean
      bounce: boolean
      dropped: boolean
      spam_report: boolean
      unsubscribe: boolean
      group_unsubscribe: boolean
      group_resubscribe: boolean
      signed: boolean
      secret: string
      public_key: string
      types: unknown[]
      created_date: string
      updated_date: string
    }
    field_definitions: { id: string; name: string; field_type: string }
    group_suppressions: { id: string; group_id: number; email: string; created_at: number }
    groups: { id: number; name: string; description: string; is_default: boolean }
    happenings: { id: string; type: string; payload: { [name: string]: unknown } }
    imports: {
      id: string
      job_type: string
      status: string
      results: { [name: string]: unknown }
      started_at: string
      finished_at: string
    }
    invalid_emails: { email: string; created: number; reason: string }
    lists: { id: string; name: string }
    messages: {
      id: string
      message_id: string
      email: string
      from: string
      subject: string
      status: string
      categories: unknown[]
      custom_args: { [name: string]: unknown }
      asm_group_id: number
      batch_id: string
      template_id: string
      send_at: number
      html: string
      text: string
      dynamic_template_data: { [name: string]: unknown }
      created: number
    }
    parse_settings: { hostname: string; url: string; spam_check?: boolean; send_raw?: boolean }
    scheduled_sends: { batch_id: string; status: string }
    spam_reports: { email: string; created: number; ip: string }
    template_versions: {
      id: string
      template_id: string
      active: number
      name: string
      html_content: string
      plain_content: string
      subject: string
      generate_plain_content: boolean
      editor: string
      test_data: string | null
      updated_at: string
      thumbnail_url: string | null
      user_id: number
    }
    templates: { id: string; name: string; generation: string; updated_at: string }
    timers: { id: string; at: string; subject: string; stage: string }
    unsubscribes: { email: string; created: number }
    verified_senders: {
      id: number
      nickname: string
      from_email: string
      from_name: string
      reply_to: string
      reply_to_name: string
      address: string
      address2: string
      state: string
      city: string
      zip: string
      country: string
      verified: boolean
      locked: boolean
      token: string
    }
  }
}
