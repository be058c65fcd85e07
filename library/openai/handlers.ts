import { batches } from './batches.ts'
import { chat } from './chat.ts'
import { completions } from './completions.ts'
import { conversations } from './conversations.ts'
import { embeddings } from './embeddings.ts'
import { files } from './files.ts'
import { fineTuning } from './fine-tuning.ts'
import { media } from './media.ts'
import { models } from './models.ts'
import { moderations } from './moderations.ts'
import { organization } from './organization.ts'
import { responses } from './responses.ts'
import { sessions } from './sessions.ts'
import { vectorStores } from './vector-stores.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

export default {
  ...models,
  ...chat,
  ...completions,
  ...responses,
  ...conversations,
  ...embeddings,
  ...files,
  ...fineTuning,
  ...sessions,
  ...batches,
  ...vectorStores,
  ...moderations,
  ...media,
  ...webhookEndpoints,
  ...organization,
}
