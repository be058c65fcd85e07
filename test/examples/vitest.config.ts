import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { EXAMPLE_PROJECTS, exampleFolder } from '../support/example-projects.ts'

const folders = EXAMPLE_PROJECTS.filter(({ runner }) => runner === 'vitest').map(({ folder }) => folder)

/** Below `node_modules/`, where users have the package, Vitest leaves it as it is. Here it would compile megabytes. */
const server = { deps: { external: [/\/dist\//] } }

/** All examples for Vitest in one run, each with its own configuration. */
export default defineConfig({
  test: {
    projects: folders.map((folder) => {
      const root = exampleFolder(folder)
      const config = join(root, 'vitest.config.ts')
      return { root, extends: existsSync(config) && config, test: { name: folder, hookTimeout: 120_000, server } }
    }),
  },
})
