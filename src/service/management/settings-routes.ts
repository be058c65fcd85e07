import { responseRuleRequest } from '../../protocol/response-rule.ts'
import { accessRequest, type IssuedKey, keyRequest } from '../../protocol/simulation.ts'
import { explainReach } from '../simulation/rule-reach.ts'
import { param } from './call.ts'
import { KEY_REMINDER } from './create-simulation.ts'
import { json, noContent, ok } from './respond.ts'
import { type Route, simulationBodyRoute, simulationRoute } from './route.ts'

/** What the owner sets: response rules, access, keys. */
export const SETTINGS_ROUTES: readonly Route[] = [
  simulationBodyRoute('POST', '/rules', responseRuleRequest, ({ simulation }, request) => {
    const rule = simulation.addRule(request)
    const warning = explainReach(rule, simulation.model)
    return json(warning === undefined ? rule : { ...rule, warning }, 201)
  }),
  simulationRoute('DELETE', '/rules/:ruleId', (call) => {
    call.simulation.removeRule(param(call, 'ruleId'))
    return noContent()
  }),
  simulationBodyRoute('PUT', '/access', accessRequest, ({ simulation }, change) => {
    simulation.setAccess(change)
    return ok()
  }),
  simulationBodyRoute('POST', '/keys', keyRequest, ({ simulation }, { name }) =>
    json({ apiKey: simulation.issueKey(name), note: KEY_REMINDER } satisfies IssuedKey, 201),
  ),
]
