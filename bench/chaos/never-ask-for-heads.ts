import { StoredCore } from '../../src/service/simulation/stored/stored-core.ts'

// Loaded before a service, it breaks it: reads do not ask whether another node has committed since. A control of the checker.

StoredCore.prototype.isCurrent = async () => true
