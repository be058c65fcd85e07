import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const BROTLI = '.br'

/** A file of the page, ready to send. */
export interface PageFile {
  readonly type: string
  readonly bytes: Buffer
  readonly gzipped: Buffer
  /** Compressed with Brotli, as the build writes scripts and styles; the page itself is not. */
  readonly brotli?: Buffer
}

/** The built page, whose assets are only in Brotli in the package. Each file is read and recompressed at first use. */
export class PageFiles {
  readonly #folder = join(dirname(createRequire(import.meta.url).resolve('backlot/package.json')), 'dist/ui')
  readonly #files = new Map<string, Promise<PageFile>>()
  #names: Promise<ReadonlySet<string>> | undefined

  /** The page itself. */
  shell(): Promise<PageFile> {
    return this.#read('index.html')
  }

  /** A script, a style sheet or a symbol; undefined for an unknown file. */
  async asset(name: string): Promise<PageFile | undefined> {
    this.#names ??= readdir(join(this.#folder, 'assets')).then((names) => new Set(names))
    return (await this.#names).has(name + BROTLI) ? this.#read(`assets/${name}`) : undefined
  }

  #read(path: string): Promise<PageFile> {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const file = join(this.#folder, path)
    const read = path.startsWith('assets/') ? readAsset(file) : readShell(file)
    this.#files.set(path, read)
    return read
  }
}

async function readAsset(path: string): Promise<PageFile> {
  const brotli = await readFile(path + BROTLI)
  return { ...(await toFile(path, await promisify(brotliDecompress)(brotli))), brotli }
}

const readShell = async (path: string): Promise<PageFile> => toFile(path, await readFile(path))

async function toFile(path: string, bytes: Buffer): Promise<PageFile> {
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', bytes, gzipped: await promisify(gzip)(bytes) }
}
