import { fieldsOf, type Json, linkTo, type Shown, same, type Work } from './context.ts'

/** A value of a list that every site has. */
export interface Option {
  readonly id: string
  readonly name: string
  readonly [fact: string]: Json
}

const category = (id: number, key: string, colorName: string, name: string) => ({ id, key, colorName, name })
const TO_DO = category(2, 'new', 'blue-gray', 'To Do')
const IN_PROGRESS = category(4, 'indeterminate', 'yellow', 'In Progress')
const DONE = category(3, 'done', 'green', 'Done')
export const CATEGORIES = [category(1, 'undefined', 'medium-gray', 'No Category'), TO_DO, IN_PROGRESS, DONE]

const type = (id: string, name: string, description: string, hierarchyLevel = 0): Option => ({
  id,
  name,
  description,
  iconUrl: `https://icons.example/issuetype/${id}.svg`,
  subtask: hierarchyLevel < 0,
  avatarId: 10_300 + Number(id) - 10_000,
  hierarchyLevel,
})

export const OPTIONS = {
  issuetype: [
    type('10000', 'Epic', 'A big piece of work that has other issues.', 1),
    type('10001', 'Story', 'What a user wants to do.'),
    type('10002', 'Task', 'A small piece of work.'),
    type('10003', 'Sub-task', 'A part of another issue.', -1),
    type('10004', 'Bug', 'A problem or an error.'),
  ],
  status: [
    { id: '10000', name: 'To Do', statusCategory: TO_DO },
    { id: '3', name: 'In Progress', statusCategory: IN_PROGRESS },
    { id: '10001', name: 'Done', statusCategory: DONE },
  ],
  priority: ['Highest', 'High', 'Medium', 'Low', 'Lowest'].map((name, at) => ({
    id: String(at + 1),
    name,
    iconUrl: `https://icons.example/priorities/${name.toLowerCase()}.svg`,
  })),
  resolution: [
    { id: '10000', name: 'Done', description: 'The work is complete.' },
    { id: '10001', name: "Won't Do", description: 'Nobody will work on this.' },
    { id: '10002', name: 'Duplicate', description: 'Another issue is about the same.' },
    { id: '10003', name: 'Cannot Reproduce', description: 'The problem could not be seen again.' },
  ],
  issueLinkType: [
    { id: '10000', name: 'Blocks', inward: 'is blocked by', outward: 'blocks' },
    { id: '10001', name: 'Cloners', inward: 'is cloned by', outward: 'clones' },
    { id: '10002', name: 'Duplicate', inward: 'is duplicated by', outward: 'duplicates' },
    { id: '10003', name: 'Relates', inward: 'relates to', outward: 'relates to' },
  ],
  role: [
    { id: '10002', name: 'Administrators', description: 'People who administer a project.' },
    { id: '10003', name: 'Developers', description: 'People who work on issues.' },
    { id: '10004', name: 'Viewers', description: 'People who read issues.' },
  ],
} as const satisfies Record<string, readonly Option[]>

export type OptionList = keyof typeof OPTIONS

/** Each transition leads from any status to its own. */
export const TRANSITIONS = [
  { id: '11', name: 'To Do', to: '10000' },
  { id: '21', name: 'In Progress', to: '3' },
  { id: '31', name: 'Done', to: '10001' },
] as const

/** The option with this id, or this name in any case. */
export const optionOf = (list: OptionList, idOrName: unknown): Option | undefined => {
  const options: readonly Option[] = OPTIONS[list]
  return options.find(({ id }) => id === String(idOrName)) ?? options.find(({ name }) => same(name, idOrName))
}

export function showOption(work: Work, list: OptionList, id: unknown): Shown | null {
  const option = optionOf(list, id)
  if (option === undefined) return null
  const { statusCategory, ...facts } = option
  const self = linkTo(work, `${list}/${option.id}`)
  if (list !== 'status') return { self, ...facts }
  const shown = CATEGORIES.find(({ id: of }) => same(of, (statusCategory as Shown).id))
  const iconUrl = 'https://icons.example/statuses/generic.png'
  return { self, description: '', iconUrl, ...facts, statusCategory: showCategory(work, shown as Shown) }
}

export const showCategory = (work: Work, one: Shown): Shown => ({
  self: linkTo(work, `statuscategory/${one.id}`),
  ...one,
})

/** The key of an issue's status category: `new`, `indeterminate` or `done`. */
export const categoryOf = (status: unknown): string =>
  OPTIONS.status.find(({ id }) => id === status)?.statusCategory.key ?? 'new'

export const isSubtask = (values: Json | undefined): boolean => fieldsOf(values).issuetype === '10003'
