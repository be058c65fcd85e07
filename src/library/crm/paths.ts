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
    record: 'Company',
    noun: 'company',
    plural: 'companies',
    tag: 'Companies',
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
    record: 'Contact',
    noun: 'contact',
    plural: 'contacts',
    tag: 'Contacts',
    filters: [byField('Contact', 'status'), byCompany, filter('email', 'Only this address', { type: 'string' })],
  }),
  ...collectionPaths(style, 'noteId', {
    path: '/contacts/{contactId}/notes',
    record: 'Note',
    noun: 'note',
    plural: 'notes',
    tag: 'Notes',
    operations: ['list', 'create'],
  }),
  ...collectionPaths(style, 'noteId', {
    path: '/notes',
    record: 'Note',
    noun: 'note',
    plural: 'notes',
    tag: 'Notes',
    operations: ['read', 'update', 'delete'],
  }),
}

const sales = {
  ...collectionPaths(style, 'dealId', {
    path: '/deals',
    record: 'Deal',
    noun: 'deal',
    plural: 'deals',
    tag: 'Deals',
    filters: [byField('Deal', 'stage'), byCompany, sort(['amount', 'expectedCloseDate', 'createdAt'])],
  }),
  ...actionPath(style, '/deals/{dealId}/win', { id: 'winDeal', summary: 'Win a deal', tag: 'Deals', record: 'Deal' }),
  ...actionPath(style, '/deals/{dealId}/lose', {
    id: 'loseDeal',
    summary: 'Lose a deal',
    tag: 'Deals',
    record: 'Deal',
  }),
  ...collectionPaths(style, 'productId', {
    path: '/products',
    record: 'Product',
    noun: 'product',
    plural: 'products',
    tag: 'Products',
    filters: [filter('sku', 'Only this article', { type: 'string' })],
    operations: ['list', 'read'],
  }),
  ...collectionPaths(style, 'orderId', {
    path: '/orders',
    record: 'Order',
    noun: 'order',
    plural: 'orders',
    tag: 'Orders',
    filters: [byField('Order', 'status'), byCompany, sort(['createdAt', 'updatedAt', 'total'])],
    operations: ['list', 'create', 'read', 'update'],
  }),
  ...actionPath(style, '/orders/{orderId}/cancel', {
    id: 'cancelOrder',
    summary: 'Cancel an order',
    tag: 'Orders',
    record: 'Order',
  }),
}

const activities = collectionPaths(style, 'activityId', {
  path: '/activities',
  record: 'Activity',
  noun: 'activity',
  plural: 'activities',
  tag: 'Activities',
  filters: [byField('Activity', 'status'), byContact, filter('dealId', 'Only those of this deal', key('Deal'))],
})

const users = {
  ...collectionPaths(style, 'userId', {
    path: '/users',
    record: 'User',
    noun: 'user',
    plural: 'users',
    tag: 'Users',
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
