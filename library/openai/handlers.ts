import { handlers } from '../../src/handlers.ts'
import { chat } from './chat.ts'
import { embeddings } from './embeddings.ts'
import { models } from './models.ts'

export default handlers({ ...models, ...chat, ...embeddings })
