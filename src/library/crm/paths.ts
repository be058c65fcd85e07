import type { JsonObject } from '../../protocol/json.ts'
import type { ApiStyle } from '../operation-fragments.ts'
import { actionPath, collectionPaths, filter, itemPath, operation, sort } from '../operation-fragments.ts'
import { component } from '../schema-fragments.ts'
import { key } from './fields.ts'
import { page } from './schemas.ts'

const style: ApiStyle = {
  page,
  paging: ['Page', 'PerPage'],
  invalidStatus: '400',
  key: (parameter) => key(`Identifier (${parameter})`),
}

const byCompany = filter('companyId', 'Only those of this company', key('Company'))
const byContact = filter('contactId', 'Only those of this contact', key('Contact'))
const byField = (record: string, name: string) =>
  filter(name, `Only those with this ${name}`, component(`schemas/${record}/properties/${name}`))

const companies = {
  ...collectionPaths(style, 'companyId', {
    path: '/companies',
    noun: 'company',
    plural: 'companies',
    filters: [byField('Company', 'lifecycle'), byField('Company', 'industry'), sort(['name', 'createdAt'])],
  }),
  ...itemPath(style, '/companies/{companyId}/contacts', {
    get: operation(style, {
      id: 'listCompanyContacts',
      summary: 'List the contacts of a company',
      tag: 'Companies',
      query: [component('parameters/Page'), component('parameters/PerPage')],
      answer: page('Contact'),
      item: true,
    }),
  }),
}

const contacts = {
  ...collectionPaths(style, 'contactId', {
    path: '/contacts',
    noun: 'contact',
    filters: [byField('Contact', 'status'), byCompany, filter('email', 'Only this address', { type: 'string' })],
  }),
  ...collectionPaths(style, 'noteId', {
    path: '/contacts/{contactId}/notes',
    noun: 'note',
    operations: ['list', 'create'],
  }),
  ...collectionPaths(style, 'noteId', {
    path: '/notes',
    noun: 'note',
    operations: ['read', 'update', 'delete'],
  }),
}

const sales = {
  ...collectionPaths(style, 'dealId', {
    path: '/deals',
    noun: 'deal',
    filters: [byField('Deal', 'stage'), byCompany, sort(['amount', 'expectedCloseDate', 'createdAt'])],
  }),
  ...actionPath(style, '/deals/{dealId}/win', { noun: 'deal', tag: 'Deals' }),
  ...actionPath(style, '/deals/{dealId}/lose', { noun: 'deal', tag: 'Deals' }),
  ...collectionPaths(style, 'productId', {
    path: '/products',
    noun: 'product',
    filters: [filter('sku', 'Only this article', { type: 'string' })],
    operations: ['list', 'read'],
  }),
  ...collectionPaths(style, 'orderId', {
    path: '/orders',
    noun: 'order',
    filters: [byField('Order', 'status'), byCompany, sort(['createdAt', 'updatedAt', 'total'])],
    operations: ['list', 'create', 'read', 'update'],
  }),
  ...actionPath(style, '/orders/{orderId}/cancel', { noun: 'order', tag: 'Orders' }),
}

const activities = collectionPaths(style, 'activityId', {
  path: '/activities',
  noun: 'activity',
  plural: 'activities',
  filters: [byField('Activity', 'status'), byContact, filter('dealId', 'Only those of this deal', key('Deal'))],
})

const users = {
  ...collectionPaths(style, 'userId', {
    path: '/users',
    noun: 'user',
    operations: ['list', 'read'],
  }),
  '/account': {
    get: operation(style, {
      id: 'getAccount',
      summary: 'Get your account',
      tag: 'Users',
      answer: component('schemas/Account'),
    }),
  },
}

/** `paths`, area by area. */
export const paths: JsonObject = { ...companies, ...contacts, ...sales, ...activities, ...users }
