import type { JsonObject } from '../../protocol/json.ts'
import type { ApiStyle } from '../operation-fragments.ts'
import { actionPath, collectionPaths, filter, itemPath, operation, sort } from '../operation-fragments.ts'
import { choice, component, formatted, text } from '../schema-fragments.ts'
import { page, TASK_STATUSES } from './schemas.ts'

const style: ApiStyle = {
  page,
  paging: ['Limit', 'Cursor'],
  invalidStatus: '422',
  key: (parameter) => formatted('uuid', `Identifier (${parameter})`),
}

const taskStatus = filter('status', 'Only tasks that stand here', choice('Status', TASK_STATUSES))
const byProject = filter('projectId', 'Only tasks of this project', formatted('uuid', 'Project'))
const byAssignee = filter('assigneeId', 'Only tasks of this user', formatted('uuid', 'User'))

const projects = {
  ...collectionPaths(style, 'projectId', {
    path: '/projects',
    noun: 'project',
    filters: [sort(['name', 'createdAt'])],
  }),
  ...itemPath(style, '/projects/{projectId}/tasks', {
    get: operation(style, {
      id: 'listProjectTasks',
      summary: 'List the tasks of a project',
      tag: 'Projects',
      query: [component('parameters/Limit'), component('parameters/Cursor'), taskStatus],
      answer: page('Task'),
      item: true,
    }),
  }),
}

const milestones = {
  ...collectionPaths(style, 'milestoneId', {
    path: '/projects/{projectId}/milestones',
    noun: 'milestone',
    operations: ['list', 'create'],
  }),
  ...collectionPaths(style, 'milestoneId', {
    path: '/milestones',
    noun: 'milestone',
    operations: ['read', 'update', 'delete'],
  }),
}

const tasks = {
  ...collectionPaths(style, 'taskId', {
    path: '/tasks',
    noun: 'task',
    filters: [taskStatus, byProject, byAssignee, sort(['createdAt', 'updatedAt', 'dueAt', 'number'])],
  }),
  '/tasks/search': {
    get: operation(style, {
      id: 'searchTasks',
      summary: 'Search tasks by title and description',
      tag: 'Tasks',
      query: [
        { ...filter('q', 'Words to look for', text('Words')), required: true },
        component('parameters/Limit'),
        component('parameters/Cursor'),
      ],
      answer: page('Task'),
    }),
  },
  ...actionPath(style, '/tasks/{taskId}/complete', { noun: 'task', tag: 'Tasks' }),
  ...actionPath(style, '/tasks/{taskId}/cancel', { noun: 'task', tag: 'Tasks' }),
}

const comments = {
  ...collectionPaths(style, 'commentId', {
    path: '/tasks/{taskId}/comments',
    noun: 'comment',
    operations: ['list', 'create'],
  }),
  ...collectionPaths(style, 'commentId', {
    path: '/comments',
    noun: 'comment',
    operations: ['read', 'update', 'delete'],
  }),
}

const attachments = {
  ...collectionPaths(style, 'attachmentId', {
    path: '/tasks/{taskId}/attachments',
    noun: 'attachment',
    operations: ['list', 'create'],
  }),
  ...collectionPaths(style, 'attachmentId', {
    path: '/attachments',
    noun: 'attachment',
    operations: ['read', 'delete'],
  }),
}

const labels = collectionPaths(style, 'labelId', {
  path: '/labels',
  noun: 'label',
})

const users = {
  ...collectionPaths(style, 'userId', {
    path: '/users',
    noun: 'user',
    filters: [filter('status', 'Only users in this state', choice('State', ['active', 'invited', 'deactivated']))],
    operations: ['list', 'create', 'read', 'update'],
  }),
  '/me': {
    get: operation(style, {
      id: 'getMe',
      summary: 'Get the user whom the key belongs to',
      tag: 'Users',
      answer: component('schemas/User'),
    }),
  },
}

/** `paths`, collection by collection. */
export const paths: JsonObject = {
  ...projects,
  ...milestones,
  ...tasks,
  ...comments,
  ...attachments,
  ...labels,
  ...users,
}
