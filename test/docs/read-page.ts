import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toAnchor } from '../../docs/.vitepress/pages.ts'

/** A Markdown page. */
export interface Page {
  text: string
  /** The text without blocks of code. */
  prose: string
  headings: { level: number; text: string; anchor: string }[]
}

const root = join(import.meta.dirname, '../..')

/** Reads a page by its path in the repository. */
export function readPage(path: string): Page {
  const text = readFileSync(join(root, path), 'utf8')
  const prose = text.replace(/^( *)```[\s\S]*?^\1```/gm, '')
  const headings = [...prose.matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', heading = '']) => ({
    level: marks.length,
    text: heading,
    anchor: toAnchor(heading),
  }))
  return { text, prose, headings }
}
