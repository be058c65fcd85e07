/** A fault in a file of a library entry or of a folder. */
export interface EntryFault {
  /** Name of the file without ending: `model`. */
  readonly file: string
  /** The names from its top to the fault. */
  readonly path: readonly (string | number)[]
  /** A sentence, with the next step. */
  readonly text: string
}

const BETWEEN = ' > '

/** All faults in a message, a line for each: {@link readFaults} reads it again, to add the lines of the files. */
export function explainFaults(what: string, faults: readonly EntryFault[]): string {
  const count = faults.length === 1 ? '' : ` ${faults.length} faults were found.`
  const lines = faults.map(({ file, path, text }) => `${[file, ...path].join(BETWEEN)}: ${text}`)
  return [`Failed to read ${what}:${count}`, ...lines].join('\n')
}

/** The faults in a message of {@link explainFaults}. */
export function readFaults(message: string): EntryFault[] {
  return message.split('\n').flatMap((line) => {
    const [, place, text = ''] = /^([a-z]+(?: > .+?)*?): (.*)$/.exec(line) ?? []
    const [file, ...path] = place?.split(BETWEEN) ?? []
    return file === undefined ? [] : [{ file, path, text }]
  })
}
