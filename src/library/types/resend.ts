/** Types of Resend-compatible API 1.0.0, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    emails: {
      readonly id: string
      from: string
      to: string[]
      cc: string[] | null
      bcc: string[] | null
      reply_to: string[] | null
      subject: string
      html: string | null
      text: string | null
      tags: { [name: string]: unknown }[]
      headers: { [name: string]: unknown }
      topic_id: string | null
      template_id: string | null
      broadcast_id: string | null
      contact_id: string | null
      batch: string | null
      message_id: string
      scheduled_at: string | null
      created_at: string
      last_event: string
      advances_at: string | null
      happened: string[]
    }
    attachments: {
      readonly id: string
      email_id: string
      filename: string | null
      size: number
      content: string
      path: string | null
      content_type: string
      content_id: string | null
      content_disposition: string
    }
    received_emails: {
      readonly id: string
      from: string
      to: string[]
      cc: string[]
      bcc: string[]
      reply_to: string[]
      received_for: string[]
      subject: string
      html: string | null
      text: string | null
      headers: { [name: string]: unknown }
      message_id: string
      created_at: string
    }
    batches: { readonly id: string; at: number; faults: { [name: string]: unknown }[] }
    domains: {
      readonly id: string
      name: string
      status: string
      region: string
      custom_return_path: string
      capabilities: { [name: string]: unknown }
      open_tracking: boolean
      click_tracking: boolean
      tls: string
      tracking_subdomain: string | null
      verifies_at: string | null
      created_at: string
    }
    api_keys: {
      readonly id: string
      name: string
      permission: string
      domain_id: string | null
      token: string
      created_at: string
      last_used_at: string | null
    }
    segments: { readonly id: string; name: string; created_at: string }
    contacts: {
      readonly id: string
      email: string
      first_name: string | null
      last_name: string | null
      unsubscribed: boolean
      properties: { [name: string]: unknown }
      segment_ids: string[]
      topics: { [name: string]: unknown }[]
      created_at: string
      updated_at: string
    }
    topics: {
      readonly id: string
      name: string
      description: string | null
      default_subscription: string
      visibility: string
      created_at: string
    }
    contact_properties: {
      readonly id: string
      key: string
      type: string
      fallback_value: string | number | null
      created_at: string
    }
    broadcasts: {
      readonly id: string
      name: string
      segment_id: string | null
      audience_id: string | null
      subject: string | null
      html: string | null
      text: string | null
      from: string | null
      reply_to: string[] | null
      preview_text: string | null
      topic_id: string | null
      status: string
      scheduled_at: string | null
      sends_at: string | null
      sent_at: string | null
      created_at: string
    }
    templates: {
      readonly id: string
      name: string
      alias: string | null
      subject: string | null
      html: string | null
      text: string | null
      from: string | null
      reply_to: string[] | null
      variables: { [name: string]: unknown }[]
      status: string
      published_at: string | null
      published: { [name: string]: unknown } | null
      has_unpublished_versions: boolean
      current_version_id: string
      created_at: string
      updated_at: string
    }
    webhooks: {
      readonly id: string
      endpoint: string
      events: string[] | null
      status: string
      signing_secret: string
      created_at: string
    }
    suppressions: { readonly id: string; email: string; origin: string; source_id: string | null; created_at: string }
    automations: {
      readonly id: string
      name: string
      status: string
      steps: { [name: string]: unknown }[]
      connections: { [name: string]: unknown }[]
      created_at: string
      updated_at: string | null
    }
    events: {
      readonly id: string
      name: string
      schema: { [name: string]: unknown } | null
      created_at: string
      updated_at: string | null
    }
    happenings: { readonly id: string; type: string; created_at: string; data: { [name: string]: unknown } }
    logs: {
      id: string
      created_at: string
      endpoint: string
      method: string
      response_status: number
      user_agent: string | null
      request_body: unknown
    }
    claims: {
      id: string
      name: string
      status: string
      domain_id: string
      region: string
      record: { [name: string]: unknown }
      created_at: string
      expires_at: string
    }
  }
  events: {
    'email.sent': { [name: string]: unknown }
    'email.scheduled': { [name: string]: unknown }
    'email.delivered': { [name: string]: unknown }
    'email.complained': { [name: string]: unknown }
    'email.bounced': { [name: string]: unknown }
    'email.opened': { [name: string]: unknown }
    'email.clicked': { [name: string]: unknown }
    'email.received': { [name: string]: unknown }
    'email.suppressed': { [name: string]: unknown }
    'contact.created': { [name: string]: unknown }
    'contact.updated': { [name: string]: unknown }
    'contact.deleted': { [name: string]: unknown }
    'contact.topics.updated': { [name: string]: unknown }
    'domain.created': { [name: string]: unknown }
    'domain.updated': { [name: string]: unknown }
    'domain.deleted': { [name: string]: unknown }
    'suppression.added': { [name: string]: unknown }
    'suppression.removed': { [name: string]: unknown }
    'topic.created': { [name: string]: unknown }
    'topic.updated': { [name: string]: unknown }
    'topic.deleted': { [name: string]: unknown }
  }
}
