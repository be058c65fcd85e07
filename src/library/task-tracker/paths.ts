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
    record: 'Project',
    noun: 'project',
    plural: 'projects',
    tag: 'Projects',
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
    record: 'Milestone',
    noun: 'milestone',
    plural: 'milestones',
    tag: 'Milestones',
    operations: ['list', 'create'],
  }),
  ...collectionPaths(style, 'milestoneId', {
    path: '/milestones',
    record: 'Milestone',
    noun: 'milestone',
    plural: 'milestones',
    tag: 'Milestones',
    operations: ['read', 'update', 'delete'],
  }),
}

const tasks = {
  ...collectionPaths(style, 'taskId', {
    path: '/tasks',
    record: 'Task',
    noun: 'task',
    plural: 'tasks',
    tag: 'Tasks',
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
  ...actionPath(style, '/tasks/{taskId}/complete', {
    id: 'completeTask',
    summary: 'Complete a task',
    tag: 'Tasks',
    record: 'Task',
  }),
  ...actionPath(style, '/tasks/{taskId}/cancel', {
    id: 'cancelTask',
    summary: 'Cancel a task',
    tag: 'Tasks',
    record: 'Task',
  }),
}

const comments = {
  ...collectionPaths(style, 'commentId', {
    path: '/tasks/{taskId}/comments',
    record: 'Comment',
    noun: 'comment',
    plural: 'comments',
    tag: 'Comments',
    operations: ['list', 'create'],
  }),
  ...collectionPaths(style, 'commentId', {
    path: '/comments',
    record: 'Comment',
    noun: 'comment',
    plural: 'comments',
    tag: 'Comments',
    operations: ['read', 'update', 'delete'],
  }),
}

const attachments = {
  ...collectionPaths(style, 'attachmentId', {
    path: '/tasks/{taskId}/attachments',
    record: 'Attachment',
    noun: 'attachment',
    plural: 'attachments',
    tag: 'Attachments',
    operations: ['list', 'create'],
  }),
  ...collectionPaths(style, 'attachmentId', {
    path: '/attachments',
    record: 'Attachment',
    noun: 'attachment',
    plural: 'attachments',
    tag: 'Attachments',
    operations: ['read', 'delete'],
  }),
}

const labels = collectionPaths(style, 'labelId', {
  path: '/labels',
  record: 'Label',
  noun: 'label',
  plural: 'labels',
  tag: 'Labels',
})

const users = {
  ...collectionPaths(style, 'userId', {
    path: '/users',
    record: 'User',
    noun: 'user',
    plural: 'users',
    tag: 'Users',
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
