/** What a warning says of a word of a description without effect, so that a fixture can tell it from others. */
export const UNREAD = 'is not read.'
