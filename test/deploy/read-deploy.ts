import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'

export const ROOT = join(import.meta.dirname, '../..')

/** Text of a file below `deploy/`. */
export const readDeploy = (path: string): string => readFileSync(join(ROOT, 'deploy', path), 'utf8')

/** A part of a YAML or JSON document, of which a test looks at parts again; `String` and `Number` read what is none. */
export interface Part {
  readonly [key: string]: Part
  [Symbol.iterator](): Iterator<Part>
}

/** The documents of a YAML file below `deploy/`. */
export const readYaml = (path: string): Part[] => loadAll(readDeploy(path)) as Part[]

/** An instruction of a Dockerfile with its arguments, continued lines joined. */
export interface Instruction {
  readonly name: string
  readonly text: string
}

/** The instructions of a Dockerfile. Throws on a line that is none. */
export function readDockerfile(path: string): Instruction[] {
  const lines = readDeploy(path)
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [, name, text] = /^([A-Z]+) +(\S.*)$/.exec(line) ?? []
    if (name === undefined || text === undefined || !INSTRUCTIONS.has(name)) throw new Error(`No instruction: ${line}`)
    return { name, text }
  })
}

const INSTRUCTIONS = new Set(
  'FROM RUN CMD LABEL EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG STOPSIGNAL HEALTHCHECK SHELL'.split(' '),
)

/** A directive of nginx: its words, and what stands in its braces. */
export interface Directive {
  readonly words: readonly string[]
  readonly block?: readonly Directive[]
}

/** The directives of a configuration of nginx. Throws where braces or semicolons are missing. */
export function readNginx(path: string): Directive[] {
  const tokens =
    readDeploy(path)
      .replaceAll(/^\s*#.*$/gm, '')
      .match(/[{};]|"[^"]*"|[^\s{};]+/g) ?? []
  let at = 0
  const readBlock = (isInner: boolean): Directive[] => {
    const found: Directive[] = []
    let words: string[] = []
    for (; at < tokens.length; at++) {
      const token = tokens[at] as string
      if (token === '}' && isInner && words.length === 0) return found
      if (token === '}') throw new Error(`A brace stands after "${words.join(' ')}" without a semicolon.`)
      if (token === ';') {
        found.push({ words })
        words = []
      } else if (token === '{') {
        at++
        found.push({ words, block: readBlock(true) })
        words = []
      } else words.push(token)
    }
    if (isInner || words.length > 0) throw new Error(`The file ends amid "${words.join(' ')}".`)
    return found
  }
  return readBlock(false)
}

/** The directives of a name, in blocks within blocks too. */
export const findDirectives = (directives: readonly Directive[], name: string): Directive[] =>
  directives.flatMap((directive) => [
    ...(directive.words[0] === name ? [directive] : []),
    ...findDirectives(directive.block ?? [], name),
  ])
