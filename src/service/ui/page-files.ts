import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** A file of the page, as it is sent. */
export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
  readonly gzipped: Buffer
}

/** The built page. Each file is read and compressed when it is first asked for. */
export class PageFiles {
  readonly #folder = join(dirname(createRequire(import.meta.url).resolve('backlot/package.json')), 'dist/ui')
  readonly #files = new Map<string, Promise<PageFile>>()
  #names: Promise<ReadonlySet<string>> | undefined

  /** The page itself. */
  shell(): Promise<PageFile> {
    return this.#read('index.html')
  }

  /** A script, a style sheet or a symbol; undefined where the page has no such file. */
  async asset(name: string): Promise<PageFile | undefined> {
    this.#names ??= readdir(join(this.#folder, 'assets')).then((names) => new Set(names))
    return (await this.#names).has(name) ? this.#read(`assets/${name}`) : undefined
  }

  #read(path: string): Promise<PageFile> {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const file = read(join(this.#folder, path))
    this.#files.set(path, file)
    return file
  }
}

async function read(path: string): Promise<PageFile> {
  const bytes = await readFile(path)
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', bytes, gzipped: await promisify(gzip)(bytes) }
}
