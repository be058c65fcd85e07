import { type Command, InvalidArgumentError } from 'commander'
import { ManagementClient } from '../client/management-client.ts'
import { type JsonObject, jsonOr } from '../protocol/json.ts'
import { addServiceFlags, getService, type ServiceFlags } from './service-flags.ts'
import { printJson, printLines } from './terminal.ts'

interface TriggerFlags extends ServiceFlags {
  set: JsonObject
  quiet?: boolean
  json?: boolean
}

/** Adds `backlot trigger` to the program. */
export function addTriggerCommand(program: Command): void {
  addServiceFlags(program.command('trigger'))
    .description('make an event of a simulation happen, on a fitting record or one that is made')
    .argument('<simulation>', 'its slug or id')
    .argument('<event>', 'a kind of event (invoice.updated), or a status that a record reaches (invoice.paid)')
    .option('--set <field=value>', 'what the record holds after it; may be given several times', addField, {})
    .option('--quiet', 'send no webhook of it')
    .option('--json', 'print the event as one line of JSON')
    .action(runTrigger)
}

async function runTrigger(
  simulation: string,
  type: string,
  { set, quiet, json, ...flags }: TriggerFlags,
): Promise<void> {
  const { baseUrl, accountKey, ca, proxy } = getService(flags)
  const client = new ManagementClient({ baseUrl, accountKey, ca, proxy })
  try {
    const event = await client.call('triggerEvent', {
      parameters: { id: simulation },
      query: { quiet },
      body: { type, ...(set && { fields: set }) },
    })
    if (json) printJson(event)
    else printLines([`${event.type} ${event.data.collection}/${event.data.id}`])
  } finally {
    await client.close()
  }
}

/** Adds `total=1200` or `status=open` to the fields. A value that is not JSON is a text. */
function addField(text: string, fields: JsonObject): JsonObject {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Expected a field and its value, as in status=open.')
  const value = text.slice(at + 1)
  return { ...fields, [text.slice(0, at)]: jsonOr(value, value) }
}
