/**
 * Origin of the addresses of the API in generated records: a name that leads nowhere (RFC 2606, section 3), so that
 * records are the same in every run, and no test reaches a real API. `Simulation.fetch` follows such addresses.
 */
export const LINK_ORIGIN = 'https://api.example.com'
