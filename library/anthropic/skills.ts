import { fieldsOf } from '../shared/values.ts'
import { type Context, type Fields, type Kept, toPage } from './context.ts'

/** The name and the description that the file SKILL.md begins with. */
function describe({ files, refuse }: Context): { name: string; description: string } {
  const file = files.find(({ name }) => /(?:^|\/)SKILL\.md$/.test(name))
  const text = Buffer.from(file?.base64 ?? '', 'base64').toString()
  const read = (field: string): string =>
    new RegExp(`^---\\n(?:.*\\n)*?${field}: *(.+)`).exec(text)?.[1] ??
    refuse(400, { message: `files: SKILL.md with \`name\` and \`description\` is required, and lacks \`${field}\`.` })
  return { name: read('name'), description: read('description') }
}

function findOne({ records, path, refuse }: Context): Kept {
  const id = String(path.skill_id)
  const published = PUBLISHED.find((skill) => skill.id === id)
  return published ?? records.skills.get(id) ?? refuse(404, { code: 'not_found', message: `Skill not found: ${id}` })
}

/** The skill of the path, which must not be Anthropic's own. */
function findOwn(context: Context): Kept {
  const skill = findOne(context)
  return PUBLISHED.includes(skill) ? context.refuse(400, { message: 'Skills of Anthropic are read-only.' }) : skill
}

function versionsOf(context: Context): Kept[] {
  const { id: skill_id, display_name, created_at } = findOne(context)
  const own = context.records.skill_versions.where({ skill_id })
  const facts = { type: 'skill_version', skill_id, name: skill_id, created_at }
  return own.length > 0 ? own : [{ id: PUBLISHED_VERSION, ...facts, description: `${display_name} documents` } as Kept]
}

function findVersion(context: Context): Kept {
  const id = String(context.path.version)
  const version = versionsOf(context).find((one) => one.id === id)
  return version ?? context.refuse(404, { code: 'not_found', message: `Skill version not found: ${id}` })
}

const addVersion = (context: Context, skill_id: string, described: Fields): Kept =>
  context.records.skill_versions.create({
    type: 'skill_version',
    ...described,
    skill_id,
    created_at: context.now.toISOString(),
  })

const PUBLISHED_VERSION = '20251013'
/** The skills that Anthropic publishes: read-only. */
const PUBLISHED: Kept[] = Object.entries({ pptx: 'PowerPoint', xlsx: 'Excel', docx: 'Word', pdf: 'PDF' }).map(
  ([id, display_name]) => ({
    ...{ id, type: 'skill', display_name, source: { type: 'anthropic' }, latest_version_id: PUBLISHED_VERSION },
    ...{ created_at: '2025-10-13T00:00:00Z', updated_at: '2025-10-13T00:00:00Z' },
  }),
)

export const skills = {
  'POST /v1/skills': (context: Context) => {
    const { body, now, records } = context
    const described = describe(context)
    const time = now.toISOString()
    const display_name = body.display_name ?? described.name
    const facts = { type: 'skill', display_name, source: { type: 'custom' }, created_at: time, updated_at: time }
    const { id } = records.skills.create({ ...facts, latest_version_id: null })
    return records.skills.update(id, { latest_version_id: addVersion(context, id, described).id })
  },
  'GET /v1/skills': (context: Context) => {
    const { source } = context.query
    const all = [...context.records.skills, ...PUBLISHED]
    return toPage(context, source === undefined ? all : all.filter((skill) => fieldsOf(skill.source).type === source))
  },
  'GET /v1/skills/{skill_id}': findOne,
  'DELETE /v1/skills/{skill_id}': (context: Context) => {
    const { id } = findOwn(context)
    for (const version of context.records.skill_versions.where({ skill_id: id }))
      context.records.skill_versions.remove(version.id)
    context.records.skills.remove(id)
    return { id, type: 'skill_deleted' }
  },
  'POST /v1/skills/{skill_id}/versions': (context: Context) => {
    const { id } = findOwn(context)
    const described = describe(context)
    const [{ name } = described] = context.records.skill_versions.where({ skill_id: id })
    if (described.name !== name)
      context.refuse(400, { message: `files: SKILL.md has the name "${described.name}", the skill has "${name}".` })
    const version = addVersion(context, id, described)
    context.records.skills.update(id, { latest_version_id: version.id, updated_at: context.now.toISOString() })
    return version
  },
  'GET /v1/skills/{skill_id}/versions': (context: Context) => toPage(context, versionsOf(context)),
  'GET /v1/skills/{skill_id}/versions/{version}': findVersion,
  'DELETE /v1/skills/{skill_id}/versions/{version}': (context: Context) => {
    const skill = findOwn(context)
    const { id } = findVersion(context)
    const { skill_versions, skills } = context.records
    const message = 'A skill holds at least one version. Delete the skill instead.'
    if (versionsOf(context).length === 1) context.refuse(400, { message })
    skill_versions.remove(id)
    skills.update(skill.id, { latest_version_id: skill_versions.find({ skill_id: skill.id })?.id ?? null })
    return { id, type: 'skill_version_deleted' }
  },
}
