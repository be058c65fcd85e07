import { batches } from './batches.ts'
import { files } from './files.ts'
import { messages } from './messages.ts'
import { models } from './models.ts'
import { organization } from './organization.ts'
import { skills } from './skills.ts'
import { userProfiles } from './user-profiles.ts'

export default { ...messages, ...batches, ...files, ...models, ...skills, ...userProfiles, ...organization }
