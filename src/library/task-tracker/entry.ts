import { describeApi } from '../describe-api.ts'
import type { LibraryEntry } from '../library-entry.ts'
import { integer, text } from '../schema-fragments.ts'
import { behaviour } from './behaviour.ts'
import { paths } from './paths.ts'
import { schemas } from './schemas.ts'

const description = 'Projects, milestones, tasks with comments and attachments, labels and the people who work on them.'

/** Kanbird, a task tracker: camelCase, UUIDs, pages by cursor, a bearer token. */
export const taskTracker: LibraryEntry = {
  slug: 'task-tracker',
  name: 'Kanbird API',
  provider: 'Kanbird',
  vertical: 'project-management',
  description,
  openapi: describeApi({
    info: { title: 'Kanbird API', version: '1.4.0', description },
    server: 'https://api.kanbird.example/v1',
    tags: ['Projects', 'Milestones', 'Tasks', 'Comments', 'Attachments', 'Labels', 'Users'],
    security: { token: { type: 'http', scheme: 'bearer', description: 'A personal access token' } },
    paging: {
      Limit: {
        name: 'limit',
        in: 'query',
        description: 'Records in a page',
        schema: { ...integer('Size', 1, 100), default: 25 },
      },
      Cursor: { name: 'cursor', in: 'query', description: '`nextCursor` of the page before', schema: text('Cursor') },
    },
    paths,
    schemas,
  }),
  behaviour,
  volume: { projects: 8, milestones: 20, tasks: 120, comments: 240, attachments: 40, labels: 10, users: 14 },
}
