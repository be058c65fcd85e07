import { chat } from './chat.ts'
import { conversations } from './conversations.ts'
import { embeddings } from './embeddings.ts'
import { models } from './models.ts'
import { responses } from './responses.ts'

export default { ...models, ...chat, ...responses, ...conversations, ...embeddings }
