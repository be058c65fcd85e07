/** Words of messages, which stay in built files: of the fixture, and of the service. */
export const OF_FIXTURE = 'source of a simulation to be'
export const OF_SERVICE = 'No library entry'
