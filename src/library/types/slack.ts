/** Types of Slack-compatible API 1, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    users: {
      readonly id: string
      name: string
      email: string
      deleted: boolean
      color: string
      real_name: string
      tz: string
      tz_label: string
      tz_offset: number
      profile: { [name: string]: unknown }
      is_admin: boolean
      is_owner: boolean
      is_primary_owner: boolean
      is_restricted: boolean
      is_ultra_restricted: boolean
      is_bot: boolean
      is_app_user: boolean
      updated: number
      presence: string
      snooze_endtime: number
    }
    channels: {
      readonly id: string
      name: string | null
      kind: string
      members: string[]
      amount: number
      creator: string
      created: number
      updated: number
      is_archived: boolean
      is_general: boolean
      topic: { [name: string]: unknown }
      purpose: { [name: string]: unknown }
      previous_names: string[]
      last_read: string
      last_at: number
      reply_due: number | null
      reply_by: string | null
      reply_to: string | null
      story_due: number | null
    }
    messages: {
      readonly id: string
      channel: string
      ts: string
      at: number
      thread_ts: string | null
      in_channel: boolean
      user: string | null
      bot_id: string | null
      app_id: string | null
      username: string | null
      icons: { [name: string]: unknown } | null
      subtype: string | null
      text: string
      blocks: unknown[] | null
      attachments: unknown[] | null
      metadata: { [name: string]: unknown } | null
      edited: { [name: string]: unknown } | null
      files: string[]
      reactions: { [name: string]: unknown }[]
      reply_count: number
      reply_users: string[]
      latest_reply: string | null
      streaming: boolean
      extra: { [name: string]: unknown }
    }
    scheduled: {
      readonly id: string
      channel: string
      post_at: number
      date_created: number
      posting: { [name: string]: unknown }
    }
    pins: { readonly id: string; channel: string; ts: string; created: number; created_by: string }
    stars: { readonly id: string; date_create: number }
    bookmarks: {
      readonly id: string
      channel_id: string
      title: string
      type: string
      link: string | null
      emoji: string
      icon_url: string | null
      entity_id: string | null
      date_created: number
      date_updated: number
      rank: string
      last_updated_by_user_id: string
      last_updated_by_team_id: string
      shortcut_id: string | null
      app_id: string | null
    }
    reminders: {
      readonly id: string
      creator: string
      user: string
      text: string
      recurring: boolean
      time: number
      complete_ts: number
      fired: boolean
    }
    usergroups: {
      readonly id: string
      name: string
      handle: string
      description: string
      channels: string[]
      users: string[]
      user_count: number
      created_by: string
      updated_by: string
      date_create: number
      date_update: number
      date_delete: number
    }
    files: {
      readonly id: string
      name: string
      title: string
      size: number
      user: string
      created: number
      filetype: string
      mimetype: string
      base64: string
      origin: string
      state: string
      channels: string[]
      public_url_shared: boolean
    }
    views: { readonly id: string; user: string | null; view: { [name: string]: unknown } }
    happenings: { readonly id: number; type: string; payload: { [name: string]: unknown } }
  }
  events: {
    app_mention: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    channel_archive: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    channel_created: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    channel_rename: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    channel_unarchive: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    dnd_updated_user: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    file_created: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    file_deleted: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    file_public: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    file_shared: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    group_archive: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    group_rename: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    group_unarchive: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    im_created: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    member_joined_channel: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    member_left_channel: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    message: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    pin_added: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    pin_removed: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    reaction_added: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    reaction_removed: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    subteam_created: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    subteam_updated: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    team_join: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    user_change: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
    user_profile_changed: {
      type: string
      event_ts: string
      subtype?: string
      text?: string
      ts?: string
      thread_ts?: string
      channel_type?: string
      bot_id?: string
      reaction?: string
      item_user?: string
      file_id?: string
      user_id?: string
      channel_id?: string
      inviter?: string
      deleted_ts?: string
      user?: unknown
      channel?: unknown
      item?: { [name: string]: unknown }
      message?: { [name: string]: unknown }
      previous_message?: { [name: string]: unknown }
      file?: { [name: string]: unknown }
      subteam?: { [name: string]: unknown }
      blocks?: { [name: string]: unknown }[]
      attachments?: { [name: string]: unknown }[]
      files?: { [name: string]: unknown }[]
    }
  }
}
