/** Types of Kanbird API 1.4.0, written by `npm run library-types`. Do not edit. */

/** Records by collection and events by kind, for `Simulation<Api>`. */
export interface Api {
  records: {
    projects: components['schemas']['Project']
    milestones: components['schemas']['Milestone']
    tasks: components['schemas']['Task']
    comments: components['schemas']['Comment']
    attachments: components['schemas']['Attachment']
    labels: components['schemas']['Label']
    users: components['schemas']['User']
  }
  events: {
    'project.created': components['schemas']['Project']
    'project.updated': components['schemas']['Project']
    'project.deleted': null
    'milestone.created': components['schemas']['Milestone']
    'milestone.updated': components['schemas']['Milestone']
    'milestone.deleted': null
    'task.created': components['schemas']['Task']
    'task.updated': components['schemas']['Task']
    'task.deleted': null
    'comment.created': components['schemas']['Comment']
    'comment.updated': components['schemas']['Comment']
    'comment.deleted': null
    'attachment.created': components['schemas']['Attachment']
    'attachment.updated': components['schemas']['Attachment']
    'attachment.deleted': null
    'label.created': components['schemas']['Label']
    'label.updated': components['schemas']['Label']
    'label.deleted': null
    'user.created': components['schemas']['User']
    'user.updated': components['schemas']['User']
    'user.deleted': null
  }
}

export interface components {
  schemas: {
    Attachment: {
      readonly id: string
      readonly taskId: string
      fileName: string
      contentType: 'image/png' | 'application/pdf' | 'text/csv' | 'application/zip'
      sizeBytes: number
      readonly url: string
      readonly uploadedById: string
      readonly createdAt: string
    }
    Comment: {
      readonly id: string
      readonly taskId: string
      readonly authorId: string
      body: string
      reactions: { emoji: '👍' | '🎉' | '❤️' | '👀'; count: number }[]
      readonly createdAt: string
      readonly updatedAt: string
    }
    Label: { readonly id: string; name: string; colour: string; readonly createdAt: string; readonly updatedAt: string }
    Milestone: {
      readonly id: string
      readonly projectId: string
      name: string
      status: 'open' | 'closed'
      dueOn: string | null
      readonly createdAt: string
      readonly updatedAt: string
    }
    Project: {
      readonly id: string
      name: string
      description: string | null
      status: 'active' | 'planned' | 'paused' | 'completed' | 'archived'
      colour: string
      leadId: string | null
      memberIds: string[]
      startsOn: string | null
      targetOn: string | null
      settings: { defaultPriority: 'medium' | 'low' | 'high' | 'urgent' | 'none'; autoArchiveDays: number }
      readonly createdAt: string
      readonly updatedAt: string
    }
    Task: {
      readonly id: string
      readonly number: number
      title: string
      description: string | null
      status: 'todo' | 'in_progress' | 'in_review' | 'done' | 'cancelled'
      priority: 'medium' | 'low' | 'high' | 'urgent' | 'none'
      projectId: string
      milestoneId: string | null
      assigneeId: string | null
      readonly reporterId: string
      labelIds: string[]
      estimatePoints: 1 | 2 | 3 | 5 | 8 | null
      readonly trackedMinutes: number
      checklist: { text: string; done: boolean }[]
      dueAt: string | null
      readonly isOverdue: boolean
      readonly startedAt: string | null
      readonly completedAt: string | null
      readonly createdAt: string
      readonly updatedAt: string
    }
    User: {
      readonly id: string
      name: string
      email: string
      role: 'member' | 'admin' | 'guest' | 'owner'
      status: 'active' | 'invited' | 'deactivated'
      avatarUrl: string | null
      timeZone: string
      readonly lastSeenAt: string | null
      readonly createdAt: string
      readonly updatedAt: string
    }
  }
}
