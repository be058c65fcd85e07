/** Types of Intercom-compatible API 2.14, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    admins: {
      id: string
      type: string
      name: string
      email: string
      job_title: string
      away_mode_enabled: boolean
      away_mode_reassign: boolean
      away_status_reason_id: number | null
      has_inbox_seat: boolean
      team_ids: unknown[]
      created_at: number
    }
    teams: { id: string; name: string; admin_ids: unknown[] }
    contacts: {
      type: string
      id: string
      workspace_id: string
      external_id: string | null
      role: string
      email: string | null
      email_domain: string | null
      phone: string | null
      formatted_phone: string | null
      name: string | null
      avatar: string | null
      owner_id: number | null
      social_profiles: { [name: string]: unknown }
      has_hard_bounced: boolean
      marked_email_as_spam: boolean
      unsubscribed_from_emails: boolean
      created_at: number
      updated_at: number
      signed_up_at: number | null
      last_seen_at: number | null
      last_replied_at: number | null
      last_contacted_at: number | null
      last_email_opened_at: number | null
      last_email_clicked_at: number | null
      language_override: string | null
      browser: string | null
      browser_version: string | null
      browser_language: string | null
      os: string | null
      android_app_name: string | null
      android_app_version: string | null
      android_device: string | null
      android_os_version: string | null
      android_sdk_version: string | null
      android_last_seen_at: string | null
      ios_app_name: string | null
      ios_app_version: string | null
      ios_device: string | null
      ios_os_version: string | null
      ios_sdk_version: string | null
      ios_last_seen_at: string | null
      utm_campaign: string | null
      utm_content: string | null
      utm_medium: string | null
      utm_source: string | null
      utm_term: string | null
      referrer: string | null
      custom_attributes: { [name: string]: unknown }
      location: { [name: string]: unknown }
      sms_consent: boolean
      unsubscribed_from_sms: boolean
      company_ids: unknown[]
      tag_ids: unknown[]
      segment_ids: unknown[]
      opted_in: unknown[]
      opted_out: unknown[]
      archived: boolean
      blocked: boolean
      visitor: boolean
    }
    companies: {
      type: string
      id: string
      app_id: string
      company_id: string
      name: string | null
      plan: string | null
      remote_created_at: number | null
      created_at: number
      updated_at: number
      last_request_at: number | null
      size: number | null
      website: string | null
      industry: string | null
      monthly_spend: number
      session_count: number
      custom_attributes: { [name: string]: unknown }
      tag_ids: unknown[]
      segment_ids: unknown[]
      archived: boolean
    }
    notes: { id: string; contact_id: string; author_id: string | null; body: string; created_at: number }
    tags: { id: string; name: string }
    segments: { type: string; id: string; name: string; created_at: number; updated_at: number; person_type: string }
    subscription_types: {
      type: string
      id: string
      state: string
      consent_type: string
      default_translation: { [name: string]: unknown }
      translations: unknown[]
      content_types: unknown[]
    }
    data_attributes: {
      id: string
      type: string
      model: string
      name: string
      full_name: string
      label: string
      description: string
      data_type: string
      options: unknown[] | null
      api_writable: boolean
      messenger_writable: boolean
      ui_writable: boolean
      custom: boolean
      archived: boolean
      admin_id: string
      created_at: number
      updated_at: number
    }
    data_events: {
      id: string
      event_name: string
      created_at: number
      user_id: string | null
      email: string | null
      contact_id: string
      metadata: { [name: string]: unknown }
    }
    conversations: {
      type: string
      id: string
      title: string | null
      created_at: number
      updated_at: number
      waiting_since: number | null
      snoozed_until: number | null
      source: { [name: string]: unknown }
      contact_ids: unknown[]
      first_contact_reply: { [name: string]: unknown } | null
      admin_assignee_id: string | null
      team_assignee_id: string | null
      company_id: string | null
      open: boolean
      state: string
      read: boolean
      tagged: unknown[]
      tag_ids: unknown[]
      priority: string
      sla_applied: { [name: string]: unknown } | null
      statistics: { [name: string]: unknown } | null
      conversation_rating: { [name: string]: unknown } | null
      teammate_ids: unknown[]
      custom_attributes: { [name: string]: unknown }
      topics: { [name: string]: unknown }
      ai_agent_participated: boolean
      ai_agent: { [name: string]: unknown } | null
    }
    parts: {
      type: string
      id: string
      parent_id: string
      part_type: string
      body: string | null
      created_at: number
      updated_at: number
      notified_at: number
      assigned_to: { [name: string]: unknown } | null
      author: { [name: string]: unknown }
      attachments: unknown[]
      external_id: string | null
      redacted: boolean
      metadata: { [name: string]: unknown } | null
      state: string
      tags: unknown[]
      event_details: { [name: string]: unknown } | null
      email_message_metadata: { [name: string]: unknown } | null
      app_package_code: string | null
      ticket_state: string | null
      previous_ticket_state: string | null
      updated_attribute_data: { [name: string]: unknown } | null
    }
    tickets: {
      id: string
      ticket_id: string
      category: string
      ticket_attributes: { [name: string]: unknown }
      ticket_state_id: string
      ticket_type_id: string
      contact_ids: unknown[]
      admin_assignee_id: string | null
      team_assignee_id: string | null
      company_id: string | null
      created_at: number
      updated_at: number
      open: boolean
      snoozed_until: number | null
      is_shared: boolean
      linked_ids: unknown[]
      tag_ids: unknown[]
    }
    ticket_states: { type: string; id: string; category: string; internal_label: string; external_label: string }
    ticket_types: {
      id: string
      name: string
      description: string
      icon: string
      category: string
      is_internal: boolean
      archived: boolean
      created_at: number
      updated_at: number
    }
    ticket_type_attributes: {
      type: string
      id: string
      workspace_id: string
      name: string
      description: string
      data_type: string
      input_options: { [name: string]: unknown }
      order: number
      required_to_create: boolean
      required_to_create_for_contacts: boolean
      visible_on_create: boolean
      visible_to_contacts: boolean
      default: boolean
      ticket_type_id: string
      archived: boolean
      created_at: number
      updated_at: number
    }
    articles: {
      type: string
      id: string
      workspace_id: string
      title: string
      description: string | null
      body: string | null
      author_id: string | null
      state: string
      created_at: number
      updated_at: number
      parent_id: string | null
      parent_type: string | null
      default_locale: string
      translated_content: { [name: string]: unknown } | null
      tags: { [name: string]: unknown }
    }
    collections: {
      type: string
      id: string
      name: string
      description: string | null
      created_at: number
      updated_at: number
      icon: string | null
      order: number
      default_locale: string
      translated_content: { [name: string]: unknown } | null
      parent_id: string | null
      help_center_id: string | null
    }
    help_centers: {
      type: string
      id: string
      workspace_id: string
      identifier: string
      website_turned_on: boolean
      display_name: string
      url: string
      created_at: number
      updated_at: number
    }
    internal_articles: {
      type: string
      id: string
      title: string
      body: string | null
      owner_id: string | null
      author_id: string | null
      locale: string
      folder_id: string | null
      created_at: number
      updated_at: number
    }
    news_items: {
      type: string
      id: string
      workspace_id: string
      title: string
      body: string
      sender_id: string | null
      state: string
      newsfeed_assignments: unknown[]
      labels: unknown[] | null
      cover_image_url: string | null
      reactions: unknown[]
      deliver_silently: boolean
      created_at: number
      updated_at: number
    }
    newsfeeds: { type: string; id: string; name: string; created_at: number; updated_at: number }
    content_import_sources: {
      type: string
      id: string
      sync_behavior: string
      status: string
      url: string
      last_synced_at: number
      audience_ids: unknown[]
      created_at: number
      updated_at: number
    }
    external_pages: {
      type: string
      id: string
      title: string
      html: string
      url: string | null
      ai_agent_availability: boolean
      ai_copilot_availability: boolean
      fin_availability: boolean
      locale: string
      source_id: string | null
      external_id: string | null
      last_ingested_at: number
      created_at: number
      updated_at: number
    }
    custom_object_instances: {
      id: string
      kind: string
      external_id: string
      external_created_at: number
      external_updated_at: number
      created_at: number
      updated_at: number
      custom_attributes: { [name: string]: unknown }
    }
    activity_logs: {
      id: string
      performed_by: { [name: string]: unknown }
      metadata: { [name: string]: unknown }
      created_at: number
      activity_type: string
      activity_description: string
    }
    away_status_reasons: {
      type: string
      id: string
      label: string
      emoji: string
      order: number
      deleted: boolean
      created_at: number
      updated_at: number
    }
    jobs: { id: string; status: string; resource_type: string; resource_id: string | null }
    ip_allowlists: { id: string; enabled: boolean; ip_allowlist: unknown[] }
    exports: { id: string; status: string; done_at: string | null }
    happenings: { id: string; topic: string; item: { [name: string]: unknown } }
  }
  events: {
    'admin.activity_log_event.created': Api['records']['happenings']
    'admin.away_mode_updated': Api['records']['happenings']
    'company.contact.attached': Api['records']['happenings']
    'company.contact.detached': Api['records']['happenings']
    'company.created': Api['records']['happenings']
    'company.deleted': Api['records']['happenings']
    'company.updated': Api['records']['happenings']
    'contact.archived': Api['records']['happenings']
    'contact.deleted': Api['records']['happenings']
    'contact.email.updated': Api['records']['happenings']
    'contact.lead.created': Api['records']['happenings']
    'contact.lead.signed_up': Api['records']['happenings']
    'contact.lead.tag.created': Api['records']['happenings']
    'contact.lead.tag.deleted': Api['records']['happenings']
    'contact.lead.updated': Api['records']['happenings']
    'contact.merged': Api['records']['happenings']
    'contact.subscribed': Api['records']['happenings']
    'contact.unarchived': Api['records']['happenings']
    'contact.unsubscribed': Api['records']['happenings']
    'contact.user.created': Api['records']['happenings']
    'contact.user.tag.created': Api['records']['happenings']
    'contact.user.tag.deleted': Api['records']['happenings']
    'contact.user.updated': Api['records']['happenings']
    'conversation.admin.assigned': Api['records']['happenings']
    'conversation.admin.closed': Api['records']['happenings']
    'conversation.admin.noted': Api['records']['happenings']
    'conversation.admin.opened': Api['records']['happenings']
    'conversation.admin.replied': Api['records']['happenings']
    'conversation.admin.single.created': Api['records']['happenings']
    'conversation.admin.snoozed': Api['records']['happenings']
    'conversation.admin.unsnoozed': Api['records']['happenings']
    'conversation.contact.attached': Api['records']['happenings']
    'conversation.contact.detached': Api['records']['happenings']
    'conversation.deleted': Api['records']['happenings']
    'conversation.priority.updated': Api['records']['happenings']
    'conversation.read': Api['records']['happenings']
    'conversation.user.created': Api['records']['happenings']
    'conversation.user.replied': Api['records']['happenings']
    'conversation_part.redacted': Api['records']['happenings']
    'conversation_part.tag.created': Api['records']['happenings']
    'event.created': Api['records']['happenings']
    'job.completed': Api['records']['happenings']
    'ticket.admin.assigned': Api['records']['happenings']
    'ticket.admin.replied': Api['records']['happenings']
    'ticket.attribute.updated': Api['records']['happenings']
    'ticket.closed': Api['records']['happenings']
    'ticket.contact.replied': Api['records']['happenings']
    'ticket.created': Api['records']['happenings']
    'ticket.note.created': Api['records']['happenings']
    'ticket.state.updated': Api['records']['happenings']
    'ticket.team.assigned': Api['records']['happenings']
    'visitor.signed_up': Api['records']['happenings']
  }
}
