/** What to do where a database was not opened, by PostgreSQL's code of the error (appendix A) or Node's. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start the database there, or correct the host and the port in the address.',
  ENOTFOUND: 'Correct the host in the address.',
  EAI_AGAIN: 'Correct the host in the address, or see whether this machine can look names up.',
  ETIMEDOUT: 'See whether the database is there and a firewall lets this machine through.',
  '28P01': 'Give the right password by PGPASSWORD or a password file, or correct the user in the address.',
  '28000':
    'Let `pg_hba.conf` of the database take this user from this machine; where it asks for encryption, add ?sslmode=verify-full to the address.',
  '3D000': 'Create it (`createdb`), or correct its name in the address.',
  '42501':
    'Grant its user CREATE on the database, or run `backlot store migrate` as one who may and grant USAGE on the schema "backlot" and SELECT, INSERT, UPDATE and DELETE on its tables.',
  '53300': 'A node has 8 connections at most: allow more (`max_connections`), or put a pooler before the database.',
  '57P03': 'Start again when it is ready.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Name the authority that signed it: &sslrootcert=/path/to/ca.pem.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Name the authority that signed it: &sslrootcert=/path/to/ca.pem.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Name the authority that signed it: &sslrootcert=/path/to/ca.pem.',
}

/** The same where an error has no code. */
const BY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, 'Leave sslmode out of the address, or switch `ssl` on in the database.'],
  [
    /unsupported startup parameter/,
    'Let the pooler pass it over (PgBouncer: `ignore_startup_parameters = statement_timeout,lock_timeout`), and limit the user instead: `alter role ... set statement_timeout = 5000`.',
  ],
  [/timeout/, NEXT_STEPS.ETIMEDOUT as string],
]

const ASKS_FOR_PASSWORD = 'the database asks for a password. Give it by PGPASSWORD or a password file.'

/** Says why a database was not opened, and what to do. */
export function failedToOpenPg(cause: unknown): Error {
  return new Error(`Failed to open the store: ${factOf(cause)}`, { cause })
}

function factOf(cause: unknown): string {
  // A name with several addresses fails once for each, without a message for all.
  const { code = '', message, errors } = cause as Error & { code?: string; errors?: readonly Error[] }
  const told = message || errors?.[0]?.message || String(cause)
  if (told.includes('client password must be a string')) return ASKS_FOR_PASSWORD
  const next = NEXT_STEPS[code] ?? BY_WORDS.find(([words]) => words.test(told))?.[1]
  return next === undefined ? told : `${told.replace(/[.:]$/, '')}. ${next}`
}
