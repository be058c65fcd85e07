import { responseRuleRequest } from '../../protocol/response-rule.ts'
import { accessRequest, type IssuedKey, keyRequest } from '../../protocol/simulation.ts'
import { param, parseBody } from './call.ts'
import { KEY_REMINDER } from './create-simulation.ts'
import { json, noContent, ok } from './respond.ts'
import { type Route, simulationRoute } from './route.ts'

/** What the owner sets: response rules, access, keys. */
export const SETTINGS_ROUTES: readonly Route[] = [
  simulationRoute('POST', '/rules', async (call) => {
    const rule = await parseBody(call, responseRuleRequest)
    return json(call.simulation.addRule(rule), 201)
  }),
  simulationRoute('DELETE', '/rules/:ruleId', (call) => {
    call.simulation.removeRule(param(call, 'ruleId'))
    return noContent()
  }),
  simulationRoute('PUT', '/access', async (call) => {
    call.simulation.setAccess(await parseBody(call, accessRequest))
    return ok()
  }),
  simulationRoute('POST', '/keys', async (call) => {
    const { name } = await parseBody(call, keyRequest)
    return json({ apiKey: call.simulation.issueKey(name), note: KEY_REMINDER } satisfies IssuedKey, 201)
  }),
]
