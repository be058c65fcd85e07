import { PAGES, placeOf, titleOf } from './pages.ts'

/** A line of the sidebar, or a group of them. */
export interface SidebarItem {
  text: string
  link?: string
  collapsed?: boolean
  items?: SidebarItem[]
}

/** A page by its heading, or by a shorter text. */
function page(path: string, text = titleOf(path)): SidebarItem {
  return { text, link: `/${placeOf(path).replace(/(^|\/)index\.md$|\.md$/, '$1')}` }
}

const below = (folder: string) => PAGES.filter((path) => path.startsWith(folder)).map((path) => page(path))

/** All pages of the site in the order of reading, the reference aside. */
export const SIDEBAR: SidebarItem[] = [
  {
    text: 'Begin',
    items: [page('README.md', 'What it is'), page('docs/getting-started.md'), page('docs/recipes.md')],
  },
  {
    text: 'In a test',
    items: [
      page('docs/simulation.md'),
      page('docs/options.md'),
      page('docs/hosts.md'),
      page('docs/records.md'),
      page('docs/requests.md'),
      page('docs/response-rules.md', 'Response rules'),
      page('docs/webhooks.md'),
      page('docs/behaviour.md', 'Behaviour'),
    ],
  },
  {
    text: 'Runners',
    items: [page('docs/vitest.md'), page('docs/playwright.md'), page('docs/any-runner.md')],
  },
  { text: 'With your tools', collapsed: true, items: below('docs/with/') },
  { text: 'Simulating', collapsed: true, items: below('docs/apis/') },
  {
    text: 'The service',
    items: [
      page('docs/service.md', 'Embedded and hosted'),
      page('docs/service-options.md'),
      page('docs/endpoints.md', 'Endpoints'),
      page('docs/hosting.md'),
      page('docs/command-line.md'),
      page('docs/model.md', 'The model'),
      page('docs/dashboard.md'),
      page('docs/library.md', 'Library entries'),
      page('docs/write-an-entry.md', 'Write an entry'),
      page('docs/client.md', 'Management client'),
      page('docs/sink.md', 'Webhook sink'),
      page('docs/limits.md'),
    ],
  },
  { text: 'Migrating', items: [page('docs/migrating.md')] },
  { text: 'Examples', collapsed: true, items: below('examples/') },
  {
    text: 'The source',
    collapsed: true,
    items: [
      page('docs/architecture.md'),
      page('docs/specification.md', 'Specification'),
      page('CONTRIBUTING.md'),
      page('CHANGELOG.md'),
      page('SECURITY.md'),
      { text: 'Decisions', collapsed: true, items: below('decisions/') },
    ],
  },
]
