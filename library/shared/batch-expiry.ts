/** The code of a script's error for a request of a batch that is not answered in time. */
export const EXPIRED = 'batch_expired'
