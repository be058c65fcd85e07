/** The oldest Node that runs backlot: `engines` of package.json. */
const NEEDED = [22, 19] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

// Every entry point imports this file first: an older Node fails with this sentence, not with a missing feature.
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  const sentence = `backlot needs Node ${NEEDED.join('.')} or later; this is ${process.versions.node}.`
  const error = new Error(sentence)
  error.stack = sentence
  throw error
}
