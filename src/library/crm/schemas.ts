import type { JsonObject } from '../../protocol/json.ts'
import {
  choice,
  component,
  flag,
  formatted,
  integer,
  listOf,
  minorUnits,
  nullable,
  object,
  readOnly,
  recordSchemas,
  text,
  withDefault,
} from '../schema-fragments.ts'
import { address, createdAt, key, recordId, updatedAt } from './fields.ts'
import { sales } from './sales-schemas.ts'

const company = recordSchemas('Company', {
  description: 'An organisation that buys or may buy.',
  properties: {
    id: recordId,
    name: text('Name'),
    domain: formatted('hostname', 'Internet domain'),
    industry: choice('Branch', [
      'manufacturing',
      'retail',
      'software',
      'logistics',
      'healthcare',
      'energy',
      'education',
    ]),
    employeeCount: integer('People who work there', 1, 20_000),
    annualRevenue: nullable(minorUnits('Turnover of a year, in EUR', 9_000_000_000, 10_000_000)),
    lifecycle: withDefault(choice('Relationship', ['customer', 'prospect', 'lead', 'former']), 'lead'),
    ownerId: nullable(key('User who looks after it')),
    address,
    createdAt,
    updatedAt,
  },
  required: ['name'],
})

const contact = recordSchemas('Contact', {
  description: 'A person at a company.',
  properties: {
    id: recordId,
    firstName: text('Given name'),
    lastName: text('Family name'),
    email: formatted('email', 'Address'),
    phone: nullable(text('Telephone number')),
    jobTitle: nullable(
      text('What they do', [
        'Head of Purchasing',
        'Operations Manager',
        'CTO',
        'Founder',
        'Office Manager',
        'IT Administrator',
      ]),
    ),
    companyId: nullable(key('Company')),
    ownerId: nullable(key('User who looks after them')),
    status: withDefault(
      choice('How far the conversation is', ['new', 'contacted', 'qualified', 'customer', 'unsubscribed']),
      'new',
    ),
    source: choice('Where they came from', ['website', 'referral', 'event', 'outbound', 'partner']),
    marketingConsent: withDefault(flag('Whether they may be written to'), false),
    tags: listOf(text('Tag', ['vip', 'newsletter', 'beta', 'reference', 'events']), 'Tags', {
      maxItems: 3,
      uniqueItems: true,
    }),
    lastContactedAt: withDefault(nullable(formatted('date-time', 'Last call, message or meeting')), null),
    createdAt,
    updatedAt,
  },
  required: ['firstName', 'lastName', 'email'],
})

const activity = recordSchemas('Activity', {
  description: 'A call, a message, a meeting: planned, then completed.',
  properties: {
    id: recordId,
    type: choice('Kind', ['call', 'email', 'meeting', 'demo']),
    subject: text('What it is about', [
      'Introduction',
      'Product demo',
      'Pricing questions',
      'Contract review',
      'Quarterly check-in',
      'Renewal',
      'Onboarding call',
    ]),
    status: withDefault(choice('State', ['planned', 'completed', 'cancelled', 'missed']), 'planned'),
    dealId: nullable(key('Deal')),
    contactId: key('Contact'),
    ownerId: key('User who does it'),
    dueAt: formatted('date-time', 'When it takes place'),
    durationMinutes: { type: 'integer', enum: [15, 30, 45, 60, 90], description: 'How long it takes' },
    outcome: nullable(
      text('What came of it', ['Interested', 'Call again next month', 'Sent the offer', 'No budget this year']),
    ),
    createdAt,
    updatedAt,
  },
  required: ['type', 'subject', 'contactId', 'dueAt'],
})

const note = recordSchemas('Note', {
  description: 'Something worth remembering about a contact.',
  properties: {
    id: recordId,
    contactId: readOnly(key('Contact')),
    authorId: readOnly(key('User who wrote it')),
    body: text('Text', [
      'Prefers to be called in the afternoon.',
      'Uses a competitor, contract ends in spring.',
      'Asked for a reference in the same industry.',
      'Decision is made by the board, next meeting in two weeks.',
      'Wants invoices by post.',
    ]),
    pinned: withDefault(flag('Whether it stays on top'), false),
    createdAt,
    updatedAt,
  },
  required: ['body'],
})

const user = {
  User: object(
    {
      id: recordId,
      name: text('Full name'),
      email: formatted('email', 'Address'),
      team: choice('Team', ['sales', 'success', 'partners']),
      active: flag('Whether the account can be used'),
      createdAt,
    },
    'A person who works with the CRM.',
  ),
}

const account = {
  Account: object(
    {
      id: recordId,
      name: text('Name', ['Nordwind Tools']),
      plan: choice('Plan', ['team', 'business', 'enterprise']),
      currency: choice('Currency, ISO 4217', ['EUR']),
      timeZone: text('IANA time zone', ['Europe/Berlin']),
      createdAt,
    },
    'Your account.',
  ),
}

const error = {
  Error: object(
    {
      code: choice('What went wrong', [
        'VALIDATION',
        'UNAUTHORISED',
        'NOT_FOUND',
        'METHOD_NOT_ALLOWED',
        'RATE_LIMITED',
        'UNAVAILABLE',
        'INTERNAL',
      ]),
      message: text('The same in words'),
      requestId: formatted('uuid', 'Tell us this when you ask for help'),
      errors: listOf(object({ path: text('Field'), message: text('What is wrong with it') }), 'Fields that do not fit'),
    },
    undefined,
    ['requestId', 'errors'],
  ),
}

/** A page of records. */
export function page(record: string): JsonObject {
  return object({
    results: listOf(component(`schemas/${record}`), 'Records of this page'),
    page: integer('Number of this page, from 1', 1, 1_000_000),
    perPage: integer('Records in a page', 1, 200),
    total: integer('Records on all pages', 0, 1_000_000_000),
  })
}

/** `components.schemas`, record by record. */
export const schemas: JsonObject = {
  ...company,
  ...contact,
  ...sales,
  ...activity,
  ...note,
  ...user,
  ...account,
  ...error,
}
