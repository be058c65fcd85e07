import type { JsonObject } from '../../protocol/json.ts'
import {
  choice,
  component,
  flag,
  formatted,
  integer,
  listOf,
  momentOf,
  nullable,
  object,
  readOnly,
  recordSchemas,
  text,
  withDefault,
} from '../schema-fragments.ts'
import { TASK_TITLES } from './task-titles.ts'

/** Where a task can stand, in the order of the work. */
export const TASK_STATUSES = ['todo', 'in_progress', 'in_review', 'done', 'cancelled']

const id = readOnly(formatted('uuid', 'Identifier'))
const createdAt = readOnly(formatted('date-time', 'When it was created'))
const updatedAt = readOnly(formatted('date-time', 'When it last changed'))
const colour = {
  type: 'string',
  pattern: '^#[0-9a-f]{6}$',
  description: 'Colour',
  examples: ['#4f7cff', '#e5484d', '#30a46c', '#f5a524', '#8e4ec6', '#0091ff', '#d6409f', '#687076'],
}
const priority = choice('How urgent it is', ['medium', 'low', 'high', 'urgent', 'none'])

const project = recordSchemas('Project', {
  description: 'Work with a goal and a team.',
  properties: {
    id,
    name: text('Name', [
      'Checkout redesign',
      'Mobile app 3.0',
      'Billing migration',
      'Customer portal',
      'Search relevance',
      'Onboarding',
      'Partner API',
      'Data warehouse',
      'Accessibility audit',
      'Warehouse scanner',
    ]),
    description: nullable(
      text('What it is for', [
        'Fewer steps between cart and confirmation.',
        'Move all customers to the new billing engine before the old contract ends.',
        'Let customers see orders, invoices and tickets in one place.',
        'Answer the ten most frequent searches on the first page.',
        'Open our data to partners, with keys, limits and documentation.',
      ]),
    ),
    status: withDefault(choice('State', ['active', 'planned', 'paused', 'completed', 'archived']), 'planned'),
    colour,
    leadId: nullable(formatted('uuid', 'User who leads it')),
    memberIds: listOf(formatted('uuid', 'User'), 'Users who work on it', { maxItems: 6, uniqueItems: true }),
    startsOn: nullable(formatted('date', 'First day')),
    targetOn: nullable(formatted('date', 'Day it should be done by')),
    settings: object({
      defaultPriority: priority,
      autoArchiveDays: integer('Days until done work is archived', 7, 90),
    }),
    createdAt,
    updatedAt,
  },
  required: ['name'],
})

const milestone = recordSchemas('Milestone', {
  description: 'A step on the way of a project.',
  properties: {
    id,
    projectId: readOnly(formatted('uuid', 'Project')),
    name: text('Name', ['Alpha', 'Private beta', 'Public beta', 'Feature freeze', 'Launch', 'Post-launch review']),
    status: withDefault(choice('State', ['open', 'closed']), 'open'),
    dueOn: nullable(formatted('date', 'Day it is due')),
    createdAt,
    updatedAt,
  },
  required: ['name'],
})

const task = recordSchemas('Task', {
  description: 'One piece of work. It moves from `todo` over `in_progress` and `in_review` to `done`.',
  properties: {
    id,
    number: readOnly(integer('Number that people call it by', 1, 99_999)),
    title: text('What is to be done', TASK_TITLES, { maxLength: 200 }),
    description: nullable(
      text('Details, in Markdown', [
        'Steps to reproduce are in the first comment.',
        'Agreed in planning: **small first version**, measure, then decide.',
        'Blocked until the new endpoint is deployed.',
        'Customers ask for this about twice a week.',
        'See the design file; the empty state is still missing.',
      ]),
    ),
    status: withDefault(choice('Where it stands', TASK_STATUSES), 'todo'),
    priority: withDefault(priority, 'none'),
    projectId: formatted('uuid', 'Project it belongs to'),
    milestoneId: withDefault(nullable(formatted('uuid', 'Milestone it is planned for')), null),
    assigneeId: withDefault(nullable(formatted('uuid', 'User who works on it')), null),
    reporterId: readOnly(formatted('uuid', 'User who wrote it')),
    labelIds: withDefault(listOf(formatted('uuid', 'Label'), 'Labels', { maxItems: 3, uniqueItems: true }), []),
    estimatePoints: withDefault(
      nullable({ type: 'integer', enum: [1, 2, 3, 5, 8], description: 'Estimated effort' }),
      null,
    ),
    trackedMinutes: readOnly(withDefault(integer('Minutes worked on it', 0, 2_400), 0)),
    checklist: listOf(
      object({
        text: text('Item', [
          'Write a test',
          'Update the documentation',
          'Ask design',
          'Check on mobile',
          'Tell support',
        ]),
        done: flag('Whether it is done'),
      }),
      'Small steps',
      { maxItems: 4 },
    ),
    dueAt: withDefault(nullable(formatted('date-time', 'When it is due')), null),
    isOverdue: readOnly(withDefault(flag('Whether it was due and is not done'), false)),
    startedAt: momentOf('When work on it began'),
    completedAt: momentOf('When it was done'),
    createdAt,
    updatedAt,
  },
  required: ['title', 'projectId'],
})

const comment = recordSchemas('Comment', {
  description: 'A remark on a task.',
  properties: {
    id,
    taskId: readOnly(formatted('uuid', 'Task')),
    authorId: readOnly(formatted('uuid', 'User who wrote it')),
    body: text('Text, in Markdown', [
      'I can reproduce this on the latest build.',
      'Moved to the next milestone, we are waiting for legal.',
      'Deployed to staging, please have a look.',
      'Works for me now, thanks!',
      'Could we split this? The second half is a project of its own.',
      'Numbers look good: 40 % fewer errors since Monday.',
      'Who can review this today?',
      'Not a bug: the customer had an old link.',
    ]),
    reactions: listOf(
      object({ emoji: choice('Emoji', ['👍', '🎉', '❤️', '👀']), count: integer('How many', 1, 9) }),
      'Reactions',
      { maxItems: 2 },
    ),
    createdAt,
    updatedAt,
  },
  required: ['body'],
})

const attachment = recordSchemas('Attachment', {
  description: 'A file on a task.',
  properties: {
    id,
    taskId: readOnly(formatted('uuid', 'Task')),
    fileName: text('Name of the file', ['screenshot.png', 'trace.zip', 'contract.pdf', 'export.csv', 'mockup-v2.png']),
    contentType: choice('Media type', ['image/png', 'application/pdf', 'text/csv', 'application/zip']),
    sizeBytes: integer('Size in bytes', 1, 25_000_000),
    url: readOnly(formatted('uri', 'Where it can be downloaded')),
    uploadedById: readOnly(formatted('uuid', 'User who added it')),
    createdAt,
  },
  required: ['fileName', 'contentType', 'sizeBytes'],
})

const label = recordSchemas('Label', {
  description: 'A word that groups tasks.',
  properties: {
    id,
    name: text('Name', [
      'bug',
      'feature',
      'chore',
      'design',
      'security',
      'docs',
      'performance',
      'customer',
      'debt',
      'ops',
    ]),
    colour,
    createdAt,
    updatedAt,
  },
  required: ['name', 'colour'],
})

const user = recordSchemas('User', {
  description: 'A person of the workspace.',
  properties: {
    id,
    name: text('Full name'),
    email: formatted('email', 'Address'),
    role: withDefault(choice('What they may do', ['member', 'admin', 'guest', 'owner']), 'member'),
    status: withDefault(choice('State of the account', ['active', 'invited', 'deactivated']), 'invited'),
    avatarUrl: nullable(formatted('uri', 'Picture')),
    timeZone: text('IANA time zone', [
      'Europe/Berlin',
      'Europe/London',
      'America/New_York',
      'America/Chicago',
      'Asia/Tokyo',
    ]),
    lastSeenAt: readOnly(nullable(formatted('date-time', 'When they last used the product'))),
    createdAt,
    updatedAt,
  },
  required: ['name', 'email'],
})

const error = {
  Error: object({
    error: object(
      {
        code: choice('What went wrong', [
          'invalid',
          'unauthorised',
          'not_found',
          'method_not_allowed',
          'conflict',
          'rate_limited',
          'unavailable',
          'internal',
        ]),
        message: text('The same in words'),
        fields: listOf(
          object({ field: text('Field'), issue: text('What is wrong with it') }),
          'Fields that do not fit',
        ),
      },
      undefined,
      ['fields'],
    ),
  }),
}

/** A page of records: `next` is the `cursor` of the next one. */
export function page(record: string): JsonObject {
  return object({
    data: listOf(component(`schemas/${record}`), 'Records of this page'),
    total: integer('Records on all pages', 0, 1_000_000_000),
    nextCursor: { type: ['string', 'null'], description: 'Cursor of the next page; null on the last' },
  })
}

/** `components.schemas`, record by record. */
export const schemas: JsonObject = {
  ...project,
  ...milestone,
  ...task,
  ...comment,
  ...attachment,
  ...label,
  ...user,
  ...error,
}
