/** The oldest Node that runs backlot: `engines` of package.json. */
const NEEDED = [22, 19] as const

// Vitest's browser mode and bundlers of pages load the entry points in a browser, some with an empty `process`.
if (typeof process === 'undefined' || process.versions?.node === undefined) {
  refuse(
    'backlot runs in Node, and this is a browser. Create the simulation in a `globalSetup`, and give its address to the tests with `project.provide` (docs/vitest.md, "Browser mode").',
  )
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

// Every entry point imports this file first: an older Node fails with this sentence, not with a missing feature.
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  refuse(`backlot needs Node ${NEEDED.join('.')} or later; this is ${process.versions.node}.`)
}

// Jest's jsdom leaves these globals of Node out.
const missing = 'fetch Request Response ReadableStream TextDecoder TextEncoder structuredClone'
  .split(' ')
  .filter((name) => !(name in globalThis))
if (missing.length > 0) {
  refuse(
    `backlot needs ${missing.map((name) => `\`${name}\``).join(', ')}, which this test environment leaves out. In Jest use \`jest-fixed-jsdom\` in place of \`jest-environment-jsdom\`, or \`testEnvironment: 'node'\`.`,
  )
}

function refuse(sentence: string): never {
  const error = new Error(sentence)
  error.stack = sentence
  throw error
}
