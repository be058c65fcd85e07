/** Types of Rolodeck CRM API 3.2.0, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    companies: components['schemas']['Company']
    contacts: components['schemas']['Contact']
    notes: components['schemas']['Note']
    deals: components['schemas']['Deal']
    products: components['schemas']['Product']
    orders: components['schemas']['Order']
    activities: components['schemas']['Activity']
    users: components['schemas']['User']
  }
  events: {
    'company.created': components['schemas']['Company']
    'company.updated': components['schemas']['Company']
    'company.deleted': null
    'contact.created': components['schemas']['Contact']
    'contact.updated': components['schemas']['Contact']
    'contact.deleted': null
    'note.created': components['schemas']['Note']
    'note.updated': components['schemas']['Note']
    'note.deleted': null
    'deal.created': components['schemas']['Deal']
    'deal.updated': components['schemas']['Deal']
    'deal.deleted': null
    'product.created': components['schemas']['Product']
    'product.updated': components['schemas']['Product']
    'product.deleted': null
    'order.created': components['schemas']['Order']
    'order.updated': components['schemas']['Order']
    'order.deleted': null
    'activity.created': components['schemas']['Activity']
    'activity.updated': components['schemas']['Activity']
    'activity.deleted': null
    'user.created': components['schemas']['User']
    'user.updated': components['schemas']['User']
    'user.deleted': null
  }
}

export interface components {
  schemas: {
    Activity: {
      readonly id: number
      type: 'call' | 'email' | 'meeting' | 'demo'
      subject: string
      status: 'planned' | 'completed' | 'cancelled' | 'missed'
      dealId: number | null
      contactId: number
      ownerId: number
      dueAt: string
      durationMinutes: 15 | 30 | 45 | 60 | 90
      outcome: string | null
      readonly createdAt: string
      readonly updatedAt: string
    }
    Company: {
      readonly id: number
      name: string
      domain: string
      industry: 'manufacturing' | 'retail' | 'software' | 'logistics' | 'healthcare' | 'energy' | 'education'
      employeeCount: number
      annualRevenue: number | null
      lifecycle: 'customer' | 'prospect' | 'lead' | 'former'
      ownerId: number | null
      address: { street: string; city: string; postalCode: string; country: string }
      readonly createdAt: string
      readonly updatedAt: string
    }
    Contact: {
      readonly id: number
      firstName: string
      lastName: string
      email: string
      phone: string | null
      jobTitle: string | null
      companyId: number | null
      ownerId: number | null
      status: 'new' | 'contacted' | 'qualified' | 'customer' | 'unsubscribed'
      source: 'website' | 'referral' | 'event' | 'outbound' | 'partner'
      marketingConsent: boolean
      tags: string[]
      lastContactedAt: string | null
      readonly createdAt: string
      readonly updatedAt: string
    }
    Deal: {
      readonly id: number
      name: string
      stage: 'lead' | 'qualified' | 'proposal' | 'negotiation' | 'won' | 'lost'
      companyId: number
      contactId: number | null
      ownerId: number | null
      amount: number
      currency: 'EUR' | 'USD' | 'GBP'
      winPercent: number
      expectedCloseDate: string
      lostReason: 'price' | 'competitor' | 'no_budget' | 'timing' | null
      readonly closedAt: string | null
      readonly createdAt: string
      readonly updatedAt: string
    }
    Note: {
      readonly id: number
      readonly contactId: number
      readonly authorId: number
      body: string
      pinned: boolean
      readonly createdAt: string
      readonly updatedAt: string
    }
    Order: {
      readonly id: number
      readonly number: string
      status: 'pending' | 'confirmed' | 'shipped' | 'delivered' | 'cancelled'
      companyId: number
      contactId: number | null
      dealId: number | null
      currency: 'EUR' | 'USD' | 'GBP'
      lines: { sku: string; name: string; quantity: number; unitPrice: number; amount: number }[]
      readonly subtotal: number
      readonly tax: number
      readonly total: number
      shippingAddress: { street: string; city: string; postalCode: string; country: string }
      readonly trackingNumber: string | null
      readonly shippedAt: string | null
      readonly deliveredAt: string | null
      readonly createdAt: string
      readonly updatedAt: string
    }
    Product: {
      readonly id: number
      sku: string
      name: string
      unitPrice: number
      currency: 'EUR' | 'USD' | 'GBP'
      inStock: number
      active: boolean
      readonly createdAt: string
      readonly updatedAt: string
    }
    User: {
      readonly id: number
      name: string
      email: string
      team: 'sales' | 'success' | 'partners'
      active: boolean
      readonly createdAt: string
    }
  }
}
