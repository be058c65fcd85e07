import { statSync } from 'node:fs'

/** What to do where a file was not opened, by the code of SQLite. */
const NEXT_STEPS: Readonly<Record<number, string>> = {
  8: 'Give the file and its folder to the user that runs the service.',
  10: 'See whether the disk is sound and no network file system.',
  11: 'Put a backup in its place.',
  13: 'Make room on the disk.',
  14: 'Does its folder exist, and may this user write there?',
  26: 'Choose another file, or put a backup in its place.',
}

/** Says why a file was not opened, and what to do. */
export function failedToOpenSqlite(file: string, cause: unknown): Error {
  const { message, errcode = 0 } = cause as Error & { errcode?: number }
  const next = NEXT_STEPS[errcode & 0xff]
  const told = isFolder(file) ? `it is a folder. Name a file in it, such as "${file}/backlot.db".` : undefined
  const fact = told ?? (next === undefined ? message : `${message}. ${next}`)
  return new Error(`Failed to open the store "${file}": ${fact}`, { cause })
}

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
