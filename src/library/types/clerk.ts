/** Types of Clerk-compatible API 2025-11-10, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    permissions: {
      readonly id: string
      name: string
      key: string
      description: string
      created_at: number
      updated_at: number
    }
    roles: {
      readonly id: string
      name: string
      key: string
      description: string
      permissions: unknown[]
      is_creator_eligible: boolean
      created_at: number
      updated_at: number
    }
    api_keys: {
      readonly id: string
      name: string
      subject: string
      scopes: unknown[]
      claims: { [name: string]: unknown } | null
      revoked: boolean
      revocation_reason: string | null
      expiration: number | null
      created_by: string | null
      description: string | null
      last_used_at: number | null
      secret: string
      created_at: number
      updated_at: number
    }
    oauth_applications: {
      readonly id: string
      name: string
      client_id: string
      client_secret: string
      client_uri: string | null
      client_image_url: string | null
      dynamically_registered: boolean
      consent_screen_enabled: boolean
      pkce_required: boolean
      public: boolean
      scopes: string
      redirect_uris: unknown[]
      created_at: number
      updated_at: number
    }
    domains: {
      readonly id: string
      name: string
      is_satellite: boolean
      development_origin: string
      cname_targets: unknown[]
      proxy_url: string | null
    }
    instances: {
      readonly id: string
      allowed_origins: unknown[] | null
      restrictions: { [name: string]: unknown }
      organization_settings: { [name: string]: unknown }
    }
    users: {
      readonly id: string
      username: string | null
      first_name: string | null
      last_name: string | null
      has_image: boolean
      primary_email_address_id: string | null
      primary_phone_number_id: string | null
      public_metadata: { [name: string]: unknown }
      private_metadata: { [name: string]: unknown }
      unsafe_metadata: { [name: string]: unknown }
      external_id: string | null
      last_sign_in_at: number | null
      banned: boolean
      locked: boolean
      locale: string | null
      delete_self_enabled: boolean
      create_organization_enabled: boolean
      create_organizations_limit: number | null
      last_active_at: number | null
      legal_accepted_at: string | null
      totp_enabled: boolean
      backup_code_enabled: boolean
      password: string | null
      created_at: number
      updated_at: number
    }
    email_addresses: {
      readonly id: string
      email_address: string
      user_id: string
      verified: boolean
      reserved: boolean
      created_at: number
      updated_at: number
    }
    phone_numbers: {
      readonly id: string
      phone_number: string
      user_id: string
      verified: boolean
      reserved: boolean
      reserved_for_second_factor: boolean
      default_second_factor: boolean
      created_at: number
      updated_at: number
    }
    clients: { readonly id: string; created_at: number; updated_at: number }
    sessions: {
      readonly id: string
      client_id: string
      user_id: string
      status: string
      last_active_at: number
      expire_at: number
      abandon_at: number
      last_active_organization_id: string | null
      created_at: number
      updated_at: number
    }
    organizations: {
      readonly id: string
      name: string
      slug: string
      has_image: boolean
      public_metadata: { [name: string]: unknown }
      private_metadata: { [name: string]: unknown }
      max_allowed_memberships: number
      admin_delete_enabled: boolean
      created_by: string | null
      created_at: number
      updated_at: number
    }
    memberships: {
      readonly id: string
      organization_id: string
      user_id: string
      role: string
      public_metadata: { [name: string]: unknown }
      private_metadata: { [name: string]: unknown }
      created_at: number
      updated_at: number
    }
    org_invitations: {
      readonly id: string
      email_address: string
      role: string
      organization_id: string
      status: string
      public_metadata: { [name: string]: unknown }
      private_metadata: { [name: string]: unknown }
      user_id: string | null
      batch: string | null
      expires_at: number
      created_at: number
      updated_at: number
    }
    org_domains: {
      readonly id: string
      name: string
      organization_id: string
      enrollment_mode: string
      verified: boolean
      created_at: number
      updated_at: number
    }
    invitations: {
      readonly id: string
      email_address: string
      public_metadata: { [name: string]: unknown }
      status: string
      batch: string | null
      expires_at: number
      created_at: number
      updated_at: number
    }
    allowlist_identifiers: {
      readonly id: string
      identifier: string
      identifier_type: string
      created_at: number
      updated_at: number
    }
    blocklist_identifiers: {
      readonly id: string
      identifier: string
      identifier_type: string
      created_at: number
      updated_at: number
    }
    sign_in_tokens: {
      readonly id: string
      user_id: string
      status: string
      token: string
      actor: { [name: string]: unknown } | null
      created_at: number
      updated_at: number
    }
    actor_tokens: {
      readonly id: string
      user_id: string
      status: string
      token: string
      actor: { [name: string]: unknown } | null
      created_at: number
      updated_at: number
    }
    redirect_urls: { readonly id: string; url: string; created_at: number; updated_at: number }
    waitlist_entries: {
      readonly id: string
      email_address: string
      status: string
      invitation_id: string | null
      created_at: number
      updated_at: number
    }
    happenings: { readonly id: string; type: string; data: { [name: string]: unknown } }
    jwt_templates: {
      readonly id: string
      name: string
      claims: { [name: string]: unknown }
      lifetime: number
      allowed_clock_skew: number
      custom_signing_key: boolean
      signing_algorithm: string
      created_at: number
      updated_at: number
    }
    machines: {
      readonly id: string
      name: string
      default_token_ttl: number
      scopes: unknown[]
      secret: string
      created_at: number
      updated_at: number
    }
    m2m_tokens: {
      readonly id: string
      subject: string
      scopes: unknown[]
      claims: { [name: string]: unknown } | null
      revoked: boolean
      revocation_reason: string | null
      expiration: number | null
      token: string
      created_at: number
      updated_at: number
    }
    connections: {
      id: string
      kind: string
      name: string
      provider: string
      domains: unknown[]
      organization_id: string | null
      active: boolean
      sync_user_attributes: boolean
      disable_additional_identifications: boolean
      allow_organization_account_linking: boolean
      authenticatable: boolean
      disable_jit_provisioning: boolean
      custom_attributes: unknown[]
      saml: { [name: string]: unknown } | null
      oidc: { [name: string]: unknown } | null
      created_at: number
      updated_at: number
    }
    plans: {
      id: string
      name: string
      slug: string
      is_default: boolean
      amount: number
      payer: string
      free_trial_days: number | null
    }
    subscription_items: {
      readonly id: string
      payer_id: string
      plan_id: string
      status: string
      plan_period: string
      period_start: number
      period_end: number | null
      is_free_trial: boolean
      ended_at: number | null
      canceled_at: number | null
      created_at: number
      updated_at: number
    }
    role_sets: {
      id: string
      name: string
      key: string
      description: string | null
      roles: unknown[]
      default_role: string
      creator_role: string
      type: string
      created_at: number
      updated_at: number
    }
  }
  events: {
    'user.created': { [name: string]: unknown }
    'user.updated': { [name: string]: unknown }
    'user.deleted': { [name: string]: unknown }
    'session.created': { [name: string]: unknown }
    'session.revoked': { [name: string]: unknown }
    'organization.created': { [name: string]: unknown }
    'organization.updated': { [name: string]: unknown }
    'organization.deleted': { [name: string]: unknown }
    'organizationMembership.created': { [name: string]: unknown }
    'organizationMembership.updated': { [name: string]: unknown }
    'organizationMembership.deleted': { [name: string]: unknown }
    'organizationInvitation.created': { [name: string]: unknown }
    'organizationInvitation.accepted': { [name: string]: unknown }
    'organizationInvitation.revoked': { [name: string]: unknown }
    'organizationDomain.created': { [name: string]: unknown }
    'organizationDomain.updated': { [name: string]: unknown }
    'organizationDomain.deleted': { [name: string]: unknown }
    'waitlistEntry.created': { [name: string]: unknown }
    'waitlistEntry.updated': { [name: string]: unknown }
    'role.created': { [name: string]: unknown }
    'role.updated': { [name: string]: unknown }
    'role.deleted': { [name: string]: unknown }
    'permission.created': { [name: string]: unknown }
    'permission.updated': { [name: string]: unknown }
    'permission.deleted': { [name: string]: unknown }
  }
}
