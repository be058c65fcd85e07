const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ESCAPED[letter] ?? letter)

/** Deepest nesting of quotes; deeper ones are shown as text. */
const MOST_DEPTH = 20

/**
 * HTML of a text in Markdown: headings, paragraphs, quotes, lists of one depth, fenced and inline code, emphasis, links
 * and images. Tags are shown as text. The time is linear in the text.
 */
export function htmlOf(markdown: string, depth = 0): string {
  const lines = new Lines(markdown.replace(/\r\n?/g, '\n').split('\n'))
  const html: string[] = []
  while (!lines.isDone) {
    const { line } = lines
    const heading = /^#{1,6}(?= )/.exec(line)?.[0].length
    if (line.trim() === '') lines.take()
    else if (line.startsWith('```')) html.push(fenced(lines))
    else if (heading !== undefined)
      html.push(`<h${heading}>${inline(titleOf(lines.take().slice(heading)))}</h${heading}>`)
    else if (/^ {0,3}([-*_])( *\1){2,} *$/.test(line)) {
      lines.take()
      html.push('<hr>')
    } else if (line.startsWith('>') && depth < MOST_DEPTH) {
      const quoted = lines.takeWhile((one) => one.startsWith('>')).map((one) => one.replace(/^> ?/, ''))
      html.push(`<blockquote>\n${htmlOf(quoted.join('\n'), depth + 1)}</blockquote>`)
    } else if (isItem(line)) html.push(listed(lines.takeWhile(isItem)))
    else html.push(`<p>${inline(lines.takeWhile(isPlain).join('\n'))}</p>`)
  }
  return html.map((part) => `${part}\n`).join('')
}

/** Lines read once. */
class Lines {
  readonly #lines: readonly string[]
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  get isDone(): boolean {
    return this.#at >= this.#lines.length
  }

  get line(): string {
    return this.#lines[this.#at] ?? ''
  }

  take(): string {
    return this.#lines[this.#at++] ?? ''
  }

  /** This line and the following ones that belong to it. */
  takeWhile(belongs: (line: string) => boolean): string[] {
    const start = this.#at++
    while (!this.isDone && belongs(this.line)) this.#at++
    return this.#lines.slice(start, this.#at)
  }
}

/** A heading without closing number signs. */
function titleOf(text: string): string {
  const title = text.trim()
  let end = title.length
  while (title[end - 1] === '#') end--
  return title.slice(0, end).trimEnd()
}

const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) +/
const isItem = (line: string): boolean => ITEM.test(line)
const isPlain = (line: string): boolean => line.trim() !== '' && !isItem(line) && !/^(#{1,6} |>|```)/.test(line)

function fenced(lines: Lines): string {
  const language = lines.take().slice(3).trim()
  const code: string[] = []
  while (!lines.isDone && lines.line !== '```') code.push(lines.take())
  lines.take()
  const named = language ? ` class="language-${escaped(language)}"` : ''
  return `<pre><code${named}>${escaped(code.map((line) => `${line}\n`).join(''))}</code></pre>`
}

function listed(items: readonly string[]): string {
  const tag = /^ *\d/.test(items[0] ?? '') ? 'ol' : 'ul'
  return `<${tag}>\n${items.map((item) => `<li>${inline(item.replace(ITEM, ''))}</li>\n`).join('')}</${tag}>`
}

function inline(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part) => (/^`.+`$/.test(part) ? `<code>${escaped(part.slice(1, -1))}</code>` : emphasised(escaped(part))))
    .join('')
}

// A part ends where another of its kind may begin, so that the search for its end is bounded.
const emphasised = (text: string): string =>
  text
    .replace(/!\[([^[\]]*)\]\(([^()\s]+)\)/g, '<img src="$2" alt="$1">')
    .replace(/\[([^[\]]+)\]\(([^()\s]+)\)/g, '<a href="$2">$1</a>')
    .replace(/\*\*([^*]+)\*\*|__([^_]+)__/g, (_, one, other) => `<strong>${one ?? other}</strong>`)
    .replace(/\*([^*\s][^*]*)\*|\b_([^_]+)_\b/g, (_, one, other) => `<em>${one ?? other}</em>`)
    .replace(/~~([^~]+)~~/g, '<del>$1</del>')
