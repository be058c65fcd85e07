import { systemClock } from '../../src/runtime/clock.ts'
import { holdLedger } from './hold-ledger.ts'
import { holdRequests } from './hold-requests.ts'
import { holdStore } from './hold-store.ts'
import { holdWork } from './hold-work.ts'
import { MemoryStore } from './memory/memory-store.ts'

holdStore(async () => new MemoryStore(systemClock))
holdLedger(async () => new MemoryStore(systemClock))
holdWork(async () => new MemoryStore(systemClock))
holdRequests(async () => new MemoryStore(systemClock))
