const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ESCAPED[letter] ?? letter)

/** HTML of a text in Markdown: headings, paragraphs, quotes, lists of one depth, fenced and inline code, emphasis, links and images. Tags in the text are shown as text. */
export function htmlOf(markdown: string): string {
  const lines = markdown.replace(/\r\n?/g, '\n').split('\n')
  const html: string[] = []
  while (lines.length > 0) {
    const [line = ''] = lines
    const heading = /^(#{1,6}) +(.*?) *#*$/.exec(line)
    if (line.trim() === '') lines.shift()
    else if (line.startsWith('```')) html.push(fenced(lines))
    else if (heading) {
      lines.shift()
      const depth = heading[1]?.length
      html.push(`<h${depth}>${inline(heading[2] ?? '')}</h${depth}>`)
    } else if (/^ {0,3}([-*_])( *\1){2,} *$/.test(line)) {
      lines.shift()
      html.push('<hr>')
    } else if (line.startsWith('>')) {
      const quoted = taken(lines, (one) => one.startsWith('>')).map((one) => one.replace(/^> ?/, ''))
      html.push(`<blockquote>\n${htmlOf(quoted.join('\n'))}</blockquote>`)
    } else if (isItem(line)) html.push(listed(taken(lines, isItem)))
    else html.push(`<p>${inline(taken(lines, isPlain).join('\n'))}</p>`)
  }
  return html.map((part) => `${part}\n`).join('')
}

const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) +/
const isItem = (line: string): boolean => ITEM.test(line)
const isPlain = (line: string): boolean => line.trim() !== '' && !isItem(line) && !/^(#{1,6} |>|```)/.test(line)

/** The first line, and those after it that belong to it, taken off the lines. */
function taken(lines: string[], belongs: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, at) => at > 0 && !belongs(line))
  return lines.splice(0, end === -1 ? lines.length : end)
}

function fenced(lines: string[]): string {
  const language = lines.shift()?.slice(3).trim()
  const end = lines.indexOf('```')
  const code = lines.splice(0, end === -1 ? lines.length : end)
  lines.shift()
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

const emphasised = (text: string): string =>
  text
    .replace(/!\[([^\]]*)\]\(([^()\s]+)\)/g, '<img src="$2" alt="$1">')
    .replace(/\[([^\]]+)\]\(([^()\s]+)\)/g, '<a href="$2">$1</a>')
    .replace(/\*\*([^*]+)\*\*|__([^_]+)__/g, (_, one, other) => `<strong>${one ?? other}</strong>`)
    .replace(/\*([^*\s][^*]*)\*|\b_([^_]+)_\b/g, (_, one, other) => `<em>${one ?? other}</em>`)
    .replace(/~~([^~]+)~~/g, '<del>$1</del>')
