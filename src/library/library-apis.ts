/** The types of the built-in library entries, by slug. The build writes them from the descriptions: `scripts/build-declarations.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: its members are in the declaration that is built.
export interface LibraryApis {}
