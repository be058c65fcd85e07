import {
  type Fields,
  type Form,
  isMissing,
  type Kept,
  listOf,
  numberOf,
  type Operations,
  operationsOf,
  textOf,
} from './intercom.ts'

const HELP = 'https://help.backlot.example/en'
const STATISTICS = {
  ...{ type: 'article_statistics', views: 0, conversions: 0, conversations: 0, reactions: 0 },
  ...{ happy_reaction_percentage: 0, neutral_reaction_percentage: 0, sad_reaction_percentage: 0 },
}

const deletedAs =
  (object: string) =>
  ({ id }: Kept): Fields => ({ id, object, deleted: true })

/** An article of a list. */
const toArticleItem = ({ parent_id, author_id, ...article }: Kept): Fields => ({
  ...article,
  parent_id: numberOf(parent_id),
  parent_ids: isMissing(parent_id) ? [] : [numberOf(parent_id)],
  author_id: numberOf(author_id),
  url: article.state === 'published' ? `${HELP}/articles/${article.id}` : null,
})

const toArticle = (article: Kept): Fields => ({ ...toArticleItem(article), statistics: STATISTICS })

const ARTICLE: Form = {
  ...{ title: 'text', description: 'text?', body: 'text?', state: 'text', parent_type: 'text?' },
  ...{ translated_content: 'object?', author_id: 'id?', parent_id: 'id?' },
}

const articles = operationsOf({
  ...{ collection: 'articles', path: '/articles', form: ARTICLE, show: toArticle, deleted: deletedAs('article') },
  check: (intercom, record) => {
    const { author_id, parent_id } = intercom.body
    if (record === undefined)
      intercom.need(
        'title author_id',
        (name) => `${name} must be in the main body or default locale translated_content object`,
      )
    if (!isMissing(author_id) && intercom.records.admins.get(textOf(author_id)) === undefined)
      intercom.invalid('author_id is invalid')
    intercom.choose('state', ['published', 'draft', null])
    if (!isMissing(parent_id)) intercom.find('collections', parent_id)
  },
  made: () => ({ description: '', body: '' }),
})

const toCollection = (collection: Kept): Fields => ({
  ...collection,
  workspace_id: 'backlot',
  url: `${HELP}/collections/${collection.id}`,
  help_center_id: numberOf(collection.help_center_id),
})

const collections = operationsOf({
  ...{ collection: 'collections', path: '/help_center/collections', show: toCollection },
  form: {
    ...{ name: 'text', description: 'text?', icon: 'text?', translated_content: 'object?', parent_id: 'id?' },
    help_center_id: 'id?',
  },
  check: (intercom, record) => {
    if (record === undefined) intercom.need('name', () => 'Name is a required parameter.')
  },
  made: ({ records }) => ({ icon: 'book-bookmark', help_center_id: '10', order: records.collections.count() }),
  deleted: deletedAs('collection'),
})

const toInternalArticle = ({ author_id, owner_id, ...article }: Kept): Fields => ({
  ...article,
  author_id: numberOf(author_id),
  owner_id: numberOf(owner_id),
})

const internalArticles = operationsOf({
  ...{ collection: 'internal_articles', path: '/internal_articles', show: toInternalArticle },
  form: { title: 'text', body: 'text?', folder_id: 'id?', author_id: 'id?', owner_id: 'id?' },
  check: (intercom, record) => {
    if (record === undefined) intercom.need('title author_id owner_id')
  },
  made: () => ({ body: '' }),
  deleted: deletedAs('internal_article'),
})

const toNews = ({ sender_id, ...item }: Kept): Fields => ({ ...item, sender_id: numberOf(sender_id) })

const news = operationsOf({
  ...{ collection: 'news_items', path: '/news/news_items', show: toNews },
  form: {
    ...{ title: 'text', body: 'text', state: 'text', labels: 'list?', reactions: 'list', newsfeed_assignments: 'list' },
    ...{ deliver_silently: 'flag', sender_id: 'id?' },
  },
  check: (intercom, record) => {
    if (record === undefined) intercom.need('title sender_id')
  },
  deleted: deletedAs('news-item'),
})

const importSources = operationsOf({
  ...{ collection: 'content_import_sources', path: '/ai/content_import_sources' },
  form: { url: 'text', status: 'text', sync_behavior: 'text', audience_ids: 'list' },
  show: (source) => ({ ...source, id: numberOf(source.id) }),
  check: (intercom, record) => {
    if (record === undefined) intercom.need('url')
  },
  deleted: ({ id }) => ({ id, deleted: true }),
})

const toPage = ({ source_id, ...page }: Kept): Fields => ({ ...page, source_id: numberOf(source_id) })

const pages = operationsOf({
  ...{ collection: 'external_pages', path: '/ai/external_pages', show: toPage, deleted: toPage },
  form: {
    ...{ title: 'text', html: 'text', url: 'text?', external_id: 'id?', fin_availability: 'flag', source_id: 'id?' },
    ...{ ai_agent_availability: 'flag', ai_copilot_availability: 'flag', locale: 'text' },
  },
  check: (intercom, record) => {
    if (record !== undefined) return
    intercom.need('title html')
    intercom.find('content_import_sources', intercom.body.source_id ?? '')
  },
})

const ONE_PAGE = { type: 'pages', page: 1, per_page: 20, total_pages: 1 }

export const content: Operations = {
  ...{ ...articles, ...collections, ...internalArticles, ...news, ...importSources, ...pages },
  'GET /articles': (intercom) => intercom.list([...intercom.records.articles], toArticleItem),
  'GET /articles/search': (intercom) => {
    const { phrase, state, highlight } = intercom.query
    const wanted = textOf(phrase).toLowerCase()
    const found = intercom.all('articles', (article) => {
      const isFound = [article.title, article.body, article.description].some((text) =>
        textOf(text).toLowerCase().includes(wanted),
      )
      return isFound && (state === undefined || article.state === state)
    })
    const { shown, ...rest } = intercom.numbered(found, 10)
    const highlights = shown.map(({ id, title }) => ({
      article_id: id,
      highlighted_title: [{ type: 'plain', text: title ?? null }],
      highlighted_summary: [],
    }))
    const isHighlighted = String(highlight) === 'true'
    return {
      type: 'list',
      data: { articles: shown.map(toArticle), highlights: isHighlighted ? highlights : [] },
      ...rest,
    }
  },
  'GET /help_center/help_centers': (intercom) => ({
    type: 'list',
    data: String(intercom.query.page ?? 1) === '1' ? intercom.all('help_centers') : [],
  }),
  'GET /help_center/help_centers/{id}': (intercom) => ({ ...intercom.find('help_centers') }),
  'GET /internal_articles/search': (intercom) => {
    const { folder_id } = intercom.query
    const found = intercom.all('internal_articles', folder_id === undefined ? {} : { folder_id })
    const { shown, ...rest } = intercom.numbered(found, 10)
    return { type: 'list', data: { internal_articles: shown.map(toInternalArticle) }, ...rest }
  },
  'GET /news/newsfeeds': (intercom) => {
    const data = intercom.all('newsfeeds')
    return { type: 'list', data, total_count: data.length, pages: ONE_PAGE }
  },
  'GET /news/newsfeeds/{id}': (intercom) => ({ ...intercom.find('newsfeeds') }),
  'GET /news/newsfeeds/{id}/items': (intercom) => {
    const { id } = intercom.find('newsfeeds')
    const data = intercom
      .all('news_items', { state: 'live' })
      .filter((item) => listOf(item.newsfeed_assignments).some(({ newsfeed_id }) => textOf(newsfeed_id) === id))
    return { type: 'list', data: data.map(toNews), total_count: data.length, pages: ONE_PAGE }
  },
}
