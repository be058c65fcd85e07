import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { defineConfig } from 'vitepress'
import { placeOf, resolveLink, toAnchor } from './pages.ts'
import { SIDEBAR, type SidebarItem } from './sidebar.ts'

const root = join(import.meta.dirname, '../..')
const reference = join(root, 'docs/reference/typedoc-sidebar.json')

export default defineConfig({
  title: 'backlot',
  description: 'Stand-in APIs for tests, with a clock that you can turn.',
  srcDir: '..',
  srcExclude: ['{src,test,bench,api,dist,coverage,scripts}/**', '.*/**', 'examples/*/{test,tests,src,app}/**'],
  rewrites: placeOf,
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    attrs: { disable: true },
    anchor: { slugify: toAnchor },
    theme: { light: 'github-light', dark: 'github-dark' },
    config(md) {
      // The pages link to one another as files of the repository, which has other folders than the site.
      md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
        const page = relative(root, env.realPath ?? env.path).replaceAll('\\', '/')
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = resolveLink(page, token.attrGet('href') ?? '#')
          if (token.type === 'link_open' && href !== undefined) token.attrSet('href', href)
        }
      })
      // Templates of providers stand in braces, which the site's own templates would fill.
      md.core.ruler.push('braces-in-code', ({ tokens }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          if (token.type === 'code_inline') token.attrSet('v-pre', '')
        }
      })
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Reference', link: '/reference/' },
    ],
    sidebar: [
      ...SIDEBAR,
      { text: 'Supported operations', collapsed: true, items: listSupported() },
      { text: 'Reference', collapsed: true, items: readReference() },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
})

/** The pages that `npm run supported` has written. */
function listSupported(): SidebarItem[] {
  const names = globSync('*.md', { cwd: join(root, 'docs/supported') }).map((file) => file.replace('.md', ''))
  return names.sort().map((name) => ({ text: name, link: `/supported/${name}` }))
}

function readReference(): SidebarItem[] {
  return existsSync(reference) ? JSON.parse(readFileSync(reference, 'utf8')) : []
}
