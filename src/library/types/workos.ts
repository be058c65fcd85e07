/** Types of WorkOS-compatible API 2026-11-01, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    feature_flags: {
      id: string
      slug: string
      name: string
      description: string | null
      tags: unknown[]
      enabled: boolean
      default_value: boolean
      targets: unknown[]
      created_at: string
      updated_at: string
    }
    vault_objects: {
      id: string
      name: string
      value: string
      context: { [name: string]: unknown }
      key_id: string
      versions: unknown[]
      updated_at: string
    }
    organizations: {
      readonly id: string
      object: string
      name: string
      external_id: string | null
      metadata: { [name: string]: unknown }
      stripe_customer_id: string | null
      allow_profiles_outside_organization: boolean
      retention: number
      created_at: string
      updated_at: string
    }
    organization_domains: {
      readonly id: string
      object: string
      domain: string
      organization_id: string
      state: string
      verification_token: string | null
      verification_strategy: string
      verification_prefix: string | null
      created_at: string
      updated_at: string
    }
    users: {
      readonly id: string
      object: string
      email: string
      email_verified: boolean
      name: string | null
      first_name: string | null
      last_name: string | null
      profile_picture_url: string | null
      last_sign_in_at: string | null
      locale: string | null
      external_id: string | null
      metadata: { [name: string]: unknown }
      password: string | null
      created_at: string
      updated_at: string
    }
    organization_memberships: {
      readonly id: string
      object: string
      user_id: string
      organization_id: string
      status: string
      role_slugs: unknown[]
      directory_managed: boolean
      custom_attributes: { [name: string]: unknown }
      created_at: string
      updated_at: string
    }
    invitations: {
      readonly id: string
      object: string
      email: string
      state: string
      accepted_at: string | null
      revoked_at: string | null
      expires_at: string
      organization_id: string | null
      inviter_user_id: string | null
      accepted_user_id: string | null
      role_slug: string | null
      token: string
      created_at: string
      updated_at: string
    }
    magic_auths: {
      readonly id: string
      object: string
      user_id: string
      email: string
      expires_at: string
      code: string
      created_at: string
      updated_at: string
    }
    email_verifications: {
      readonly id: string
      object: string
      user_id: string
      email: string
      expires_at: string
      code: string
      created_at: string
      updated_at: string
    }
    password_resets: {
      readonly id: string
      object: string
      user_id: string
      email: string
      expires_at: string
      password_reset_token: string
      created_at: string
      updated_at: string
    }
    sessions: {
      readonly id: string
      object: string
      user_id: string
      ip_address: string | null
      user_agent: string | null
      organization_id: string | null
      impersonator: { [name: string]: unknown } | null
      auth_method: string
      status: string
      expires_at: string
      ended_at: string | null
      refresh_token: string
      created_at: string
      updated_at: string
    }
    grants: {
      id: string
      code: string
      kind: string
      user_id: string | null
      organization_id: string | null
      connection_id: string | null
      profile_id: string | null
      method: string
      challenge: string | null
      expires_at: string
      created_at: string
      updated_at: string
    }
    factors: {
      readonly id: string
      object: string
      type: string
      user_id: string | null
      sms: { [name: string]: unknown } | null
      totp: { [name: string]: unknown } | null
      created_at: string
      updated_at: string
    }
    challenges: {
      readonly id: string
      object: string
      authentication_factor_id: string
      expires_at: string
      code: string
      created_at: string
      updated_at: string
    }
    connections: {
      readonly id: string
      object: string
      organization_id: string | null
      name: string
      connection_type: string
      state: string
      domains: unknown[]
      created_at: string
      updated_at: string
    }
    profiles: {
      readonly id: string
      object: string
      idp_id: string
      organization_id: string | null
      connection_id: string
      connection_type: string
      email: string
      first_name: string | null
      last_name: string | null
      role: { [name: string]: unknown } | null
      groups: unknown[]
      custom_attributes: { [name: string]: unknown }
      raw_attributes: { [name: string]: unknown }
      access_token: string
      created_at: string
      updated_at: string
    }
    directories: {
      readonly id: string
      object: string
      organization_id: string | null
      name: string
      domain: string | null
      external_key: string
      type: string
      state: string
      created_at: string
      updated_at: string
    }
    directory_users: {
      readonly id: string
      object: string
      directory_id: string
      organization_id: string | null
      idp_id: string
      email: string | null
      first_name: string | null
      last_name: string | null
      job_title: string | null
      state: string
      custom_attributes: { [name: string]: unknown }
      raw_attributes: { [name: string]: unknown }
      group_ids: unknown[]
      created_at: string
      updated_at: string
    }
    directory_groups: {
      readonly id: string
      object: string
      directory_id: string
      organization_id: string | null
      idp_id: string
      name: string
      raw_attributes: { [name: string]: unknown }
      created_at: string
      updated_at: string
    }
    roles: {
      readonly id: string
      object: string
      organization_id: string | null
      name: string
      slug: string
      description: string | null
      permissions: unknown[]
      resource_type_slug: string
      type: string
      created_at: string
      updated_at: string
    }
    permissions: {
      readonly id: string
      object: string
      slug: string
      name: string
      description: string | null
      resource_type_slug: string
      system: boolean
      created_at: string
      updated_at: string
    }
    groups: {
      readonly id: string
      object: string
      organization_id: string
      name: string
      description: string | null
      member_ids: unknown[]
      created_at: string
      updated_at: string
    }
    api_keys: {
      readonly id: string
      object: string
      owner: { [name: string]: unknown }
      name: string
      obfuscated_value: string
      value: string
      last_used_at: string | null
      expires_at: string | null
      permissions: unknown[]
      created_at: string
      updated_at: string
    }
    audit_log_events: {
      id: string
      organization_id: string
      event: { [name: string]: unknown }
      created_at: string
      updated_at: string
    }
    audit_log_schemas: {
      id: string
      object: string
      action: string
      version: number
      actor: { [name: string]: unknown }
      targets: unknown[]
      metadata: { [name: string]: unknown } | null
      created_at: string
      updated_at: string
    }
    audit_log_exports: {
      readonly id: string
      object: string
      state: string
      url: string | null
      ready_at: string
      created_at: string
      updated_at: string
    }
    passwordless_sessions: {
      readonly id: string
      object: string
      email: string
      expires_at: string
      link: string
      created_at: string
      updated_at: string
    }
    webhook_endpoints: {
      readonly id: string
      object: string
      endpoint_url: string
      secret: string
      status: string
      events: unknown[]
      created_at: string
      updated_at: string
    }
    portal_links: {
      id: string
      token: string
      intent: string
      organization_id: string
      success_url: string | null
      expires_at: string
      created_at: string
      updated_at: string
    }
    timers: { id: string; at: string; stage: string; subject: string }
    happenings: { id: string; told: string; data: { [name: string]: unknown } }
    events: {
      readonly id: string
      object: string
      event: string
      data: { [name: string]: unknown }
      context: { [name: string]: unknown }
      created_at: string
    }
    resources: {
      readonly id: string
      object: string
      external_id: string
      name: string
      description: string | null
      resource_type_slug: string
      organization_id: string
      parent_resource_id: string | null
      created_at: string
      updated_at: string
    }
    role_assignments: {
      readonly id: string
      organization_membership_id: string
      role_slug: string
      resource_id: string
      created_at: string
      updated_at: string
    }
    connect_applications: {
      readonly id: string
      object: string
      client_id: string
      application_type: string
      name: string
      description: string | null
      scopes: unknown[]
      redirect_uris: unknown[]
      uses_pkce: boolean
      is_first_party: boolean
      was_dynamically_registered: boolean
      organization_id: string | null
      created_at: string
      updated_at: string
    }
    client_secrets: {
      readonly id: string
      application_id: string
      secret_hint: string
      secret: string
      created_at: string
      updated_at: string
    }
    waitlists: { id: string; created_at: string; updated_at: string }
    waitlist_entries: {
      readonly id: string
      object: string
      email: string
      state: string
      approved_at: string | null
      additional_fields: { [name: string]: unknown }
      waitlist_id: string
      created_at: string
      updated_at: string
    }
    it_contacts: {
      readonly id: string
      object: string
      organization_id: string
      email: string
      created_at: string
      updated_at: string
    }
    data_keys: { id: string; context: { [name: string]: unknown }; data_key: string; encrypted_keys: string }
  }
  events: {
    'organization.created': Api['records']['organizations']
    'organization.updated': Api['records']['organizations']
    'organization.deleted': Api['records']['organizations']
    'organization_domain.created': Api['records']['organization_domains']
    'organization_domain.updated': Api['records']['organization_domains']
    'organization_domain.deleted': Api['records']['organization_domains']
    'organization_membership.created': Api['records']['organization_memberships']
    'organization_membership.updated': Api['records']['organization_memberships']
    'organization_membership.deleted': Api['records']['organization_memberships']
    'group.created': Api['records']['groups']
    'group.updated': Api['records']['groups']
    'group.deleted': Api['records']['groups']
    'organization_domain.verified': Api['records']['organization_domains']
    'user.created': Api['records']['users']
    'user.updated': Api['records']['users']
    'user.deleted': Api['records']['users']
    'email_verification.created': Api['records']['email_verifications']
    'magic_auth.created': Api['records']['magic_auths']
    'password_reset.created': Api['records']['password_resets']
    'invitation.created': Api['records']['invitations']
    'invitation.accepted': Api['records']['invitations']
    'invitation.revoked': Api['records']['invitations']
    'session.created': Api['records']['sessions']
    'session.revoked': Api['records']['sessions']
    'connection.activated': Api['records']['connections']
    'connection.deactivated': Api['records']['connections']
    'connection.deleted': Api['records']['connections']
    'dsync.user.created': Api['records']['directory_users']
    'dsync.user.deleted': Api['records']['directory_users']
    'dsync.group.created': Api['records']['directory_groups']
    'dsync.group.deleted': Api['records']['directory_groups']
    'permission.created': Api['records']['permissions']
    'permission.updated': Api['records']['permissions']
    'permission.deleted': Api['records']['permissions']
    'role.created': Api['records']['roles']
    'organization_role.created': Api['records']['roles']
    'role.updated': Api['records']['roles']
    'organization_role.updated': Api['records']['roles']
    'organization_role.deleted': Api['records']['roles']
    'api_key.created': Api['records']['api_keys']
    'api_key.revoked': Api['records']['api_keys']
    'dsync.activated': Api['records']['directories']
    'invitation.resent': Api['records']['happenings']
    'password_reset.succeeded': Api['records']['happenings']
    'dsync.deleted': Api['records']['happenings']
    'dsync.user.updated': Api['records']['happenings']
    'dsync.group.updated': Api['records']['happenings']
    'dsync.group.user_added': Api['records']['happenings']
    'dsync.group.user_removed': Api['records']['happenings']
    'group.member_added': Api['records']['happenings']
    'group.member_removed': Api['records']['happenings']
    'authentication.email_verification_succeeded': Api['records']['happenings']
    'authentication.magic_auth_failed': Api['records']['happenings']
    'authentication.magic_auth_succeeded': Api['records']['happenings']
    'authentication.mfa_succeeded': Api['records']['happenings']
    'authentication.oauth_succeeded': Api['records']['happenings']
    'authentication.password_failed': Api['records']['happenings']
    'authentication.password_succeeded': Api['records']['happenings']
    'authentication.sso_succeeded': Api['records']['happenings']
    'flag.created': Api['records']['feature_flags']
    'flag.updated': Api['records']['feature_flags']
    'flag.rule_updated': Api['records']['feature_flags']
  }
}
