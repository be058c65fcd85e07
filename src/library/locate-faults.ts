import { readFaults } from '../protocol/entry-fault.ts'
import { lineOf, readDocument } from './entry-document.ts'

/** A message with the files and lines of its faults in a folder; the message itself where it has none. */
export async function locateFaults(message: string, folder: string): Promise<string> {
  const faults = readFaults(message)
  if (faults.length === 0) return message
  const lines = faults.map(async ({ file, path, text }) => {
    const found = await readDocument(folder, file)
    return found === undefined
      ? `${[file, ...path].join(' > ')}: ${text}`
      : `${found.file}, line ${await lineOf(found.text, path)}: ${text}`
  })
  return [message.split('\n', 1), ...(await Promise.all(lines))].join('\n')
}
