import {
  type Fields,
  fieldsOf,
  filled,
  type Kept,
  listOf,
  type Operations,
  textOf,
  type WorkOS,
  type WorkOSRequest,
} from './workos.ts'

const newVersion = (workos: WorkOS, value: string): Fields => ({
  id: workos.hex(),
  created_at: workos.time,
  size: [...value].length,
})

const toMetadata = ({ id, context, key_id, updated_at, versions }: Kept): Fields => ({
  ...{ id, context: context ?? {}, key_id: key_id ?? '', updated_at: updated_at ?? '' },
  environment_id: 'environment_backlot',
  updated_by: { id: 'key_backlot', name: 'Backlot' },
  version_id: listOf(versions).at(-1)?.id ?? null,
})

const toObject = (object: Kept): Fields => ({
  ...{ id: object.id, name: object.name ?? '', value: object.value ?? '' },
  metadata: toMetadata(object),
})

/** A new data key for a context. @param data_key that of another context */
function newKey(workos: WorkOSRequest, data_key = Buffer.from(workos.id()).toString('base64')): Kept {
  const encrypted_keys = Buffer.from(`${workos.id()}${workos.id()}`).toString('base64')
  return workos.records.data_keys.create({ ...filled(workos.body, 'context'), data_key, encrypted_keys })
}

const keyOf = (workos: WorkOSRequest, encrypted: unknown): Kept =>
  workos.records.data_keys.find({ encrypted_keys: String(encrypted) }) ??
  workos.refuse('invalid_keys', 'The keys cannot be decrypted.')

export const vault: Operations = {
  'POST /vault/v1/kv': (workos) => {
    const { name, value, key_context } = workos.body
    if (workos.records.vault_objects.some({ name: name ?? '' }))
      workos.refuse('item_exists', 'An item of this name exists already.', 409)
    const hex = workos.hex()
    const key_id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
    const made = workos.records.vault_objects.create({
      ...{ name: textOf(name), value: textOf(value), context: fieldsOf(key_context), key_id },
      updated_at: workos.time,
      versions: [newVersion(workos, textOf(value))],
    })
    return toMetadata(made)
  },
  'GET /vault/v1/kv': (workos) =>
    workos.list([...workos.records.vault_objects], ({ id, name, updated_at }) => ({
      ...{ id, name: name ?? '', updated_at: updated_at ?? '' },
    })),
  'GET /vault/v1/kv/{id}': (workos) => toObject(workos.find('vault_objects')),
  'GET /vault/v1/kv/name/{name}': (workos) => {
    const { name = '' } = workos.path
    return toObject(workos.findBy('vault_objects', { name }, name))
  },
  'GET /vault/v1/kv/{id}/metadata': (workos) => {
    const { value, ...rest } = toObject(workos.find('vault_objects'))
    return rest
  },
  'GET /vault/v1/kv/{id}/versions': (workos) => {
    const versions = listOf(workos.find('vault_objects').versions).toReversed()
    const data = versions.map((one, at) => ({ ...one, etag: one.id ?? null, current_version: at === 0 }))
    return { data, list_metadata: { before: null, after: null } }
  },
  'PUT /vault/v1/kv/{id}': (workos) => {
    const object = workos.find('vault_objects')
    const { version_check } = workos.body
    const value = textOf(workos.body.value)
    const versions = listOf(object.versions)
    if (version_check && version_check !== versions.at(-1)?.id)
      workos.refuse('item_version_mismatch', 'The item is of another version.', 409)
    const fields = { value, versions: [...versions, newVersion(workos, value)] }
    return toObject(workos.update('vault_objects', object, fields))
  },
  'DELETE /vault/v1/kv/{id}': (workos) => workos.remove('vault_objects'),
  'POST /vault/v1/keys/data-key': (workos) => newKey(workos),
  'POST /vault/v1/keys/decrypt': (workos) => {
    const { id, data_key = '' } = keyOf(workos, workos.body.keys)
    return { id, data_key }
  },
  'POST /vault/v1/keys/rekey': (workos) => newKey(workos, textOf(keyOf(workos, workos.body.encrypted_keys).data_key)),
}
