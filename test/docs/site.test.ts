import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { PAGES, placeOf } from '../../docs/.vitepress/pages.ts'
import { SIDEBAR, type SidebarItem } from '../../docs/.vitepress/sidebar.ts'
import { readPage } from './read-page.ts'

const root = join(import.meta.dirname, '../..')

const linksOf = ({ link, items = [] }: SidebarItem): string[] => [
  ...(link === undefined ? [] : [link]),
  ...items.flatMap(linksOf),
]

it('has every page in the sidebar, once', () => {
  const addresses = PAGES.map((page) => `/${placeOf(page).replace(/(^|\/)index\.md$|\.md$/, '$1')}`)

  expect(SIDEBAR.flatMap(linksOf).sort()).toEqual(addresses.sort())
})

it('has pages that begin with a heading of the first level', () => {
  const odd = PAGES.filter((page) => !/^# \S/.test(readPage(page).text) || readPage(page).headings[0]?.level !== 1)

  expect(odd).toEqual([])
})

it('has links to existing pages and headings', () => {
  const dead: string[] = []
  for (const page of PAGES) {
    for (const [, href = ''] of readPage(page).prose.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)) {
      const [path = '', anchor] = href.split('#')
      const target = path === '' ? page : normalize(join(dirname(page), path)).replaceAll('\\', '/')
      const isThere = existsSync(join(root, target))
      const hasHeading =
        anchor === undefined || (isThere && readPage(target).headings.some((heading) => heading.anchor === anchor))
      if (!isThere || !hasHeading) dead.push(`${page}: ${href}`)
    }
  }

  expect(dead).toEqual([])
})

it('has links to pages only, since the site has no other files', () => {
  const outside = PAGES.flatMap((page) =>
    [...readPage(page).prose.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)]
      .map(([, path = '']) => normalize(join(dirname(page), path)).replaceAll('\\', '/'))
      // A picture is shown, and comes along.
      .filter((target) => !PAGES.includes(target) && !target.endsWith('.png'))
      .map((target) => `${page}: ${target}`),
  )

  expect(outside).toEqual([])
})

it('has links from packed pages to packed pages only, since the installed package has no other', () => {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
  const isPacked = (page: string) =>
    ['README.md', 'CHANGELOG.md'].includes(page) ||
    (/^docs\/((with|apis)\/)?[^/]+\.md$/.test(page) && !files.includes(`!${page}`))

  const unpacked = PAGES.filter(isPacked).flatMap((page) =>
    [...readPage(page).prose.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)]
      .map(([, path = '']) => normalize(join(dirname(page), path)).replaceAll('\\', '/'))
      .filter((target) => !isPacked(target) && !target.endsWith('.png'))
      .map((target) => `${page}: ${target}`),
  )

  expect(unpacked).toEqual([])
})

it('has a page of the reference for every entry point of the package', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object }
  const { entryPoints } = JSON.parse(readFileSync(join(root, 'docs/typedoc.json'), 'utf8')) as { entryPoints: string[] }

  const exported = Object.entries(exports as Record<string, string | { default: string }>).flatMap(([, target]) =>
    typeof target === 'string' ? [] : [target.default.replace('./dist/', '../src/').replace(/\.js$/, '.ts')],
  )
  expect(entryPoints.sort()).toEqual(exported.sort())
})
