/** Addresses, and names that no DNS of the internet resolves: `localhost`, a container's name. */
const PRIVATE_HOST = /^(\[[\da-f:.]+\]|\d{1,3}(\.\d{1,3}){3}|[\w-]+|[\w.-]+\.localhost)(:\d+)?$/i

/** Whether a `Host` header names a machine here. A page elsewhere can let a name of its own lead here (DNS rebinding), and no other. */
export const isPrivateHost = (host: string): boolean => PRIVATE_HOST.test(host)
