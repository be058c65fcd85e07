import { describeApi } from '../describe-api.ts'
import type { LibraryEntry } from '../library-entry.ts'
import { integer } from '../schema-fragments.ts'
import { behaviour } from './behaviour.ts'
import { paths } from './paths.ts'
import { schemas } from './schemas.ts'

const description = 'Companies, contacts, deals that move through stages, activities, notes, products and orders.'

/** Rolodeck, a CRM: camelCase, numbers as ids, pages by number, money in minor units, an API key in a header. */
export const crm: LibraryEntry = {
  slug: 'crm',
  name: 'Rolodeck CRM API',
  provider: 'Rolodeck',
  vertical: 'crm',
  description,
  openapi: describeApi({
    info: { title: 'Rolodeck CRM API', version: '3.2.0', description },
    server: 'https://rolodeck.example/api/v3',
    tags: ['Companies', 'Contacts', 'Notes', 'Deals', 'Products', 'Orders', 'Activities', 'Users'],
    security: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Your API key' },
      bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token' },
    },
    paging: {
      Page: {
        name: 'page',
        in: 'query',
        description: 'Number of the page',
        schema: { ...integer('Number', 1, 1_000_000), default: 1 },
      },
      PerPage: {
        name: 'perPage',
        in: 'query',
        description: 'Records in a page',
        schema: { ...integer('Size', 1, 200), default: 20 },
      },
    },
    paths,
    schemas,
  }),
  behaviour,
  volume: {
    companies: 40,
    contacts: 120,
    notes: 90,
    deals: 60,
    products: 24,
    orders: 80,
    activities: 100,
    users: 9,
  },
}
