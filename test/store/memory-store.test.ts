import { systemClock } from '../../src/runtime/clock.ts'
import { MemoryStore } from '../../src/service/store/memory-store.ts'
import { holdStore } from './hold-store.ts'

holdStore(async () => new MemoryStore(systemClock))
