/** Types of Discord-compatible API 10, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    attachments: { id: string; place: string; content_type: string; base64: string }
    auto_moderation_rules: {
      id: string
      guild_id: string
      name: string
      creator_id: string
      event_type: number
      trigger_type: number
      trigger_metadata: { [name: string]: unknown }
      actions: unknown[]
      enabled: boolean
      exempt_roles: unknown[]
      exempt_channels: unknown[]
    }
    entitlements: {
      id: string
      sku_id: string
      application_id: string
      user_id: string | null
      guild_id: string | null
      type: number
      deleted: boolean
      consumed: boolean
      starts_at: string | null
      ends_at: string | null
    }
    connection_metadata: { id: string; records: unknown[] }
    scheduled_events: {
      id: string
      guild_id: string
      channel_id: string | null
      name: string
      description: string | null
      scheduled_start_time: string
      scheduled_end_time: string | null
      status: number
      entity_type: number
      entity_metadata: { [name: string]: unknown } | null
    }
    users: {
      id: string
      username: string
      discriminator: string
      global_name: string | null
      avatar: string | null
      bot: boolean
      system: boolean
      banner: string | null
      accent_color: number | null
      public_flags: number
    }
    guilds: {
      id: string
      name: string
      icon: string | null
      banner: string | null
      owner_id: string
      description: string | null
      region: string
      afk_channel_id: string | null
      afk_timeout: number
      verification_level: number
      default_message_notifications: number
      explicit_content_filter: number
      mfa_level: number
      system_channel_id: string | null
      system_channel_flags: number
      rules_channel_id: string | null
      vanity_url_code: string | null
      premium_tier: number
      preferred_locale: string
      nsfw_level: number
      features: unknown[]
      stickers: unknown[]
    }
    channels: {
      id: string
      available_tags: unknown[]
      type: number
      guild_id: string | null
      position: number
      name: string | null
      topic: string | null
      nsfw: boolean
      last_message_id: string | null
      parent_id: string | null
      rate_limit_per_user: number
      permission_overwrites: unknown[]
      bitrate: number
      user_limit: number
      owner_id: string | null
      message_count: number
      member_count: number
      applied_tags: unknown[]
      thread_metadata: { [name: string]: unknown } | null
      recipient_id: string | null
      pins: unknown[]
    }
    messages: {
      id: string
      channel_id: string
      author_id: string
      content: string
      timestamp: string
      edited_timestamp: string | null
      tts: boolean
      pinned: boolean
      type: number
      flags: number
      embeds: unknown[]
      components: unknown[]
      attachments: unknown[]
      webhook_id: string | null
      message_reference: { [name: string]: unknown } | null
      author: { [name: string]: unknown } | null
      nonce: { [name: string]: unknown }
      poll: { [name: string]: unknown } | null
      votes: unknown[]
      interaction_id: string | null
    }
    reactions: { id: string; message_id: string; emoji: { [name: string]: unknown }; name: string; user_id: string }
    members: {
      id: string
      guild_id: string
      user_id: string
      nick: string | null
      avatar: string | null
      roles: unknown[]
      joined_at: string
      deaf: boolean
      mute: boolean
      flags: number
      pending: boolean
      communication_disabled_until: string | null
      premium_since: string | null
    }
    roles: {
      id: string
      guild_id: string
      name: string
      color: number
      hoist: boolean
      icon: string | null
      unicode_emoji: string | null
      position: number
      permissions: string
      managed: boolean
      mentionable: boolean
      flags: number
    }
    bans: { id: string; guild_id: string; user_id: string; reason: string | null }
    webhooks: {
      id: string
      type: number
      guild_id: string
      channel_id: string
      name: string
      avatar: string | null
      token: string
      application_id: string | null
      user_id: string | null
    }
    commands: {
      id: string
      application_id: string
      guild_id: string | null
      name: string
      description: string
      type: number
      options: unknown[]
      default_member_permissions: string | null
      dm_permission: boolean
      nsfw: boolean
      version: string
      contexts: { [name: string]: unknown }
      integration_types: unknown[]
      name_localizations: { [name: string]: unknown } | null
      description_localizations: { [name: string]: unknown } | null
    }
    invites: {
      id: string
      code: string
      guild_id: string
      channel_id: string
      inviter_id: string
      max_age: number
      max_uses: number
      uses: number
      temporary: boolean
      created_at: string
      expires_at: string | null
    }
    emojis: {
      id: string
      guild_id: string
      name: string
      roles: unknown[]
      user_id: string
      require_colons: boolean
      managed: boolean
      animated: boolean
      available: boolean
    }
    thread_members: { id: string; channel_id: string; user_id: string; join_timestamp: string; flags: number }
    audit_log_entries: {
      id: string
      guild_id: string
      action_type: number
      target_id: string | null
      user_id: string
      reason: string | null
    }
    interactions: {
      id: string
      application_id: string
      type: number
      token: string
      data: { [name: string]: unknown }
      guild_id: string | null
      channel_id: string | null
      user_id: string
      message_id: string | null
      response_id: string | null
      acknowledged: boolean
      custom: { [name: string]: unknown } | null
    }
    applications: {
      id: string
      name: string
      description: string
      icon: string | null
      bot_public: boolean
      verify_key: string
      secret: string
      interactions_endpoint_url: string | null
      event_webhooks_url: string | null
      event_webhooks_status: number
      event_webhooks_types: unknown[]
      tags: unknown[]
      flags: number
    }
    endpoints: { id: string; url: string; secret: string; kind: string; enabled: boolean; events: unknown[] }
    happenings: { id: string; told: string; payload: { [name: string]: unknown } }
  }
  events: {
    INTERACTION_CREATE: Api['records']['happenings']
    APPLICATION_AUTHORIZED: Api['records']['happenings']
    APPLICATION_DEAUTHORIZED: Api['records']['happenings']
    ENTITLEMENT_CREATE: Api['records']['happenings']
    QUEST_USER_ENROLLMENT: Api['records']['happenings']
  }
}
