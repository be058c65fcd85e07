import { batches } from './batches.ts'
import { caches } from './caches.ts'
import { compatible } from './compatible.ts'
import { content } from './content.ts'
import { embeddings } from './embeddings.ts'
import { fileSearch } from './file-search.ts'
import { files } from './files.ts'
import { interactions } from './interactions.ts'
import { models } from './models.ts'
import { webhooks } from './webhooks.ts'

export default {
  ...models,
  ...content,
  ...embeddings,
  ...files,
  ...fileSearch,
  ...caches,
  ...batches,
  ...interactions,
  ...webhooks,
  ...compatible,
}
