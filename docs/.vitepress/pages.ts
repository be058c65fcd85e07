import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Markdown files of the repository that are pages of the site, without those that `typedoc` and `npm run supported` write. */
export const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync(['docs/**/*.md', 'decisions/*.md', 'examples/*/README.md'], {
    cwd: root,
    exclude: (path) => /(^|[\\/])(node_modules|reference|supported|\.vitepress)$/.test(path),
  }).map((path) => path.replaceAll('\\', '/')),
].sort()

/** Where a page stands in the site: `docs/options.md` is `options.md`, the README is the first page. */
export function placeOf(page: string): string {
  if (page === 'README.md') return 'index.md'
  return page.replace(/^docs\//, '').replace(/\/README\.md$/, '.md')
}

/** The address of what a page links to, seen from the top of the site; undefined for what is not a page beside it. */
export function resolveLink(page: string, href: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return undefined
  const [path = '', anchor] = href.split('#')
  if (!path.endsWith('.md')) return undefined
  const target = posix.join(posix.dirname(page), path)
  return `/${placeOf(target)}${anchor === undefined ? '' : `#${anchor}`}`
}

/** The first heading of a page. */
export function titleOf(page: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1]?.replaceAll('`', '') ?? page
}

/** A heading as it stands behind the `#` of an address, on GitHub and on the site. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[`*_]/g, '')
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}
