import type { Service } from '../../src/service.ts'
import { callerOf } from '../management/start-for-test.ts'

/** The account key of services over a store. */
export const ACCOUNT_KEY = 'svc_acc_0123456789abcdef'

/** Calls the management API of one of several services. `path` is below `/v1`. */
export const manage = (service: Service, method: string, path: string, body?: unknown) =>
  callerOf(service)(method, `/v1${path}`, body)
