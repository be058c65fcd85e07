/** End of the warnings about words of a description without effect, by which a fixture recognises them. */
export const UNREAD = 'is not read.'
