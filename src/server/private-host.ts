/** IP addresses, and names that no public DNS resolves: `localhost`, a container's name. */
const PRIVATE_HOST = /^(\[[\da-f:.]+\]|\d{1,3}(\.\d{1,3}){3}|[\w-]+|[\w.-]+\.localhost)(:\d+)?$/i

/**
 * Whether a `Host` header names a local machine. DNS rebinding can let a foreign page reach this machine, but only by
 * that page's own host name.
 */
export const isPrivateHost = (host: string): boolean => PRIVATE_HOST.test(host)
