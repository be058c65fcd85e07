import { fieldsOf } from '../openai/context.ts'
import { type Context, isOld, isTrash, type Kept, toPage } from './context.ts'
import { showSource } from './databases.ts'
import { showPage } from './pages.ts'
import { titleOf } from './properties.ts'
import { plainOf } from './rich-text.ts'

export const search = {
  'POST /v1/search': (context: Context) => {
    const { records, body } = context
    const { query = '', filter, sort } = body
    const { value, in_trash = false } = fieldsOf(filter)
    const words = String(query).toLowerCase()
    const isFound = (record: Kept, title: unknown): boolean =>
      isTrash(context, record) === in_trash && plainOf(title).toLowerCase().includes(words)
    const pages = [...records.pages].filter((page) => isFound(page, titleOf(page)))
    const sources = [...records.data_sources].filter((source) => isFound(source, source.title))
    const found = [...(value === 'page' ? [] : sources), ...(value === undefined || value === 'page' ? pages : [])]
    const sign = fieldsOf(sort).direction === 'ascending' ? 1 : -1
    const items = found.toSorted((a, b) => {
      const [one, other] = [String(a.last_edited_time), String(b.last_edited_time)]
      if (one === other) return 0
      return one < other ? -sign : sign
    })
    return toPage(context, isOld(context) ? 'page_or_database' : 'page_or_data_source', items, (item) =>
      item.schema === undefined ? showPage(context, item) : showSource(context, item),
    )
  },
}
