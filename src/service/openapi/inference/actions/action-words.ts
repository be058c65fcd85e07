/** Verbs that set a field, add to a list or remove from one. */
export const PUTS = new Set(['set', 'change', 'update', 'rename', 'move', 'edit', 'adjust', 'switch'])
export const ADDS = new Set([
  'add',
  'attach',
  'assign',
  'link',
  'join',
  'invite',
  'enroll',
  'grant',
  'insert',
  'append',
  'apply',
  'upload',
])
export const REMOVES = new Set([
  'remove',
  'detach',
  'unassign',
  'unlink',
  'leave',
  'kick',
  'revoke',
  'delete',
  'unenroll',
])
/** Verbs that give a field a new value from the server. */
export const RENEWS = new Set([
  'reset',
  'regenerate',
  'rotate',
  'refresh',
  'reserve',
  'generate',
  'renew',
  'reissue',
  'roll',
  'rekey',
])
/** Verbs that increase or decrease a number. */
export const RAISES = new Set(['raise', 'increment', 'increase', 'promote'])
export const LOWERS = new Set(['lower', 'decrement', 'decrease', 'demote'])
/** Words between a verb and its noun. */
export const FILLERS = new Set(['to', 'from', 'in', 'the', 'of', 'as'])
