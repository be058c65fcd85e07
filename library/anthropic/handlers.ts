import { batches } from './batches.ts'
import { files } from './files.ts'
import { messages } from './messages.ts'
import { models } from './models.ts'

export default { ...messages, ...batches, ...files, ...models }
