/** Types of HubSpot-compatible API 3, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    object_types: components['schemas']['object_types']
    objects: components['schemas']['objects']
    associations: components['schemas']['associations']
    association_labels: components['schemas']['association_labels']
    properties: components['schemas']['properties']
    property_groups: components['schemas']['property_groups']
    pipelines: components['schemas']['pipelines']
    owners: components['schemas']['owners']
    lists: components['schemas']['lists']
    webhook_settings: components['schemas']['webhook_settings']
    webhook_subscriptions: components['schemas']['webhook_subscriptions']
    hooks: components['schemas']['hooks']
    tokens: components['schemas']['tokens']
    happenings: components['schemas']['happenings']
  }
  events: {
    'contact.creation': components['schemas']['happenings']
    'contact.deletion': components['schemas']['happenings']
    'contact.propertyChange': components['schemas']['happenings']
    'contact.merge': components['schemas']['happenings']
    'contact.associationChange': components['schemas']['happenings']
    'contact.privacyDeletion': components['schemas']['happenings']
    'company.creation': components['schemas']['happenings']
    'company.deletion': components['schemas']['happenings']
    'company.propertyChange': components['schemas']['happenings']
    'company.merge': components['schemas']['happenings']
    'company.associationChange': components['schemas']['happenings']
    'deal.creation': components['schemas']['happenings']
    'deal.deletion': components['schemas']['happenings']
    'deal.propertyChange': components['schemas']['happenings']
    'deal.merge': components['schemas']['happenings']
    'deal.associationChange': components['schemas']['happenings']
    'ticket.creation': components['schemas']['happenings']
    'ticket.deletion': components['schemas']['happenings']
    'ticket.propertyChange': components['schemas']['happenings']
    'ticket.merge': components['schemas']['happenings']
    'ticket.associationChange': components['schemas']['happenings']
    'product.creation': components['schemas']['happenings']
    'product.deletion': components['schemas']['happenings']
    'product.propertyChange': components['schemas']['happenings']
    'product.merge': components['schemas']['happenings']
    'line_item.creation': components['schemas']['happenings']
    'line_item.deletion': components['schemas']['happenings']
    'line_item.propertyChange': components['schemas']['happenings']
    'line_item.merge': components['schemas']['happenings']
    'line_item.associationChange': components['schemas']['happenings']
    'object.creation': components['schemas']['happenings']
    'object.deletion': components['schemas']['happenings']
    'object.propertyChange': components['schemas']['happenings']
    'object.merge': components['schemas']['happenings']
    'object.associationChange': components['schemas']['happenings']
  }
}

export interface components {
  schemas: {
    association_labels: {
      id: string
      from: string
      to: string
      typeId: number
      label: string | null
      name: string
      category: string
      back: number
    }
    associations: { id: string; from_type: string; from_id: string; to_type: string; to_id: string; types: unknown[] }
    happenings: { id: string; type: string; payload: { [name: string]: unknown } }
    hooks: {
      id: string
      app_id: string
      url: string
      events: unknown[]
      secret: string
      active: boolean
      propertyName: string | null
    }
    lists: {
      listId: string
      listVersion: number
      name: string
      objectTypeId: string
      processingType: string
      processingStatus: string
      createdAt: string
      updatedAt: string
      filtersUpdatedAt: string
      createdById: string
      updatedById: string
      deletedAt: string | null
      filterBranch: { [name: string]: unknown } | null
      members: unknown[]
    }
    object_types: {
      id: string
      name: string
      singular: string
      event: string
      names: unknown[]
      label: string
      created: string
      modified: string
      shown: unknown[]
      unique: unknown[]
      searched: unknown[]
      initial: { [name: string]: unknown }
      required: unknown[]
      stage: string
      pipeline: string
      links: { [name: string]: unknown }
      standard: unknown[]
      custom: boolean
      archived: boolean
      schema: { [name: string]: unknown }
      createdAt: string | null
      updatedAt: string | null
    }
    objects: {
      id: string
      type: string
      properties: { [name: string]: unknown }
      history: { [name: string]: unknown }
      createdAt: string
      updatedAt: string
      archived: boolean
      archivedAt: string | null
      merged_into: string | null
      due_at: string | null
    }
    owners: {
      id: string
      email: string
      type: string
      firstName: string
      lastName: string
      userId: number
      userIdIncludingInactive: number
      createdAt: string
      updatedAt: string
      archived: boolean
      teams: unknown[]
    }
    pipelines: {
      id: string
      objectType: string
      label: string
      displayOrder: number
      stages: unknown[]
      archived: boolean
      archivedAt: string | null
      createdAt: string
      updatedAt: string
    }
    properties: {
      id: string
      objectType: string
      name: string
      label: string
      type: string
      fieldType: string
      groupName: string
      description: string
      options: unknown[]
      displayOrder: number
      hasUniqueValue: boolean
      hidden: boolean
      formField: boolean
      calculated: boolean
      externalOptions: boolean
      archived: boolean
      createdAt: string
      updatedAt: string
      archivedAt: string | null
    }
    property_groups: {
      id: string
      objectType: string
      name: string
      label: string
      displayOrder: number
      archived: boolean
    }
    tokens: { id: string; access_token: string; refresh_token: string; client_id: string; expires_at: number }
    webhook_settings: {
      id: string
      targetUrl: string
      throttling: { [name: string]: unknown }
      createdAt: string
      updatedAt: string
    }
    webhook_subscriptions: {
      id: string
      app_id: string
      eventType: string
      propertyName: string | null
      objectTypeId: string | null
      active: boolean
      createdAt: string
      updatedAt: string
    }
  }
}
