import { after } from '../shared/times.ts'
import { type Context, type Kept, toPage } from './context.ts'

/** Seconds that the address of an enrollment is good for. */
const ENROLLMENT_S = 900

function findOne({ records, path, refuse }: Context): Kept {
  const id = String(path.user_profile_id)
  return records.user_profiles.get(id) ?? refuse(404, { code: 'not_found', message: `User profile not found: ${id}` })
}

export const userProfiles = {
  'POST /v1/user_profiles': ({ body, now, records }: Context) => {
    const { name = null, metadata = {}, external_id = null, access_type = 'application' } = body
    const time = now.toISOString()
    const facts = { type: 'user_profile', name, metadata, external_id, access_type, trust_grants: {} }
    return records.user_profiles.create({ ...facts, created_at: time, updated_at: time })
  },
  'GET /v1/user_profiles': (context: Context) => toPage(context, [...context.records.user_profiles]),
  'GET /v1/user_profiles/{user_profile_id}': findOne,
  'POST /v1/user_profiles/{user_profile_id}': (context: Context) => {
    const { name, metadata, external_id, access_type } = context.body
    const change = { name, metadata, external_id, access_type, updated_at: context.now.toISOString() }
    return context.records.user_profiles.update(findOne(context).id, change)
  },
  'DELETE /v1/user_profiles/{user_profile_id}': (context: Context) => {
    const { id } = findOne(context)
    context.records.user_profiles.remove(id)
    return { id, type: 'user_profile_deleted' }
  },
  'POST /v1/user_profiles/{user_profile_id}/enrollment_url': (context: Context) => ({
    type: 'enrollment_url',
    url: `${context.origin}/enroll/${findOne(context).id}`,
    expires_at: after(context.now, ENROLLMENT_S),
  }),
}
