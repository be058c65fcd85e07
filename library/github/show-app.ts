import type { Fields, Reader } from './records.ts'
import { toPerson } from './show-accounts.ts'

const EPOCH = { created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-01T00:00:00Z' }
const PERMISSIONS = {
  ...{ metadata: 'read', contents: 'write', issues: 'write', pull_requests: 'write', checks: 'write' },
  statuses: 'write',
}
const EVENTS = ['push', 'pull_request', 'issues', 'check_run', 'check_suite']

export const INSTALLATION_ID = 5001

const ownerOf = ({ records }: Reader): Fields => records.users.find({ me: true }) ?? {}

/** The app of tests. */
export const toApp = (reader: Reader): Fields => ({
  ...{ id: 1001, client_id: 'Iv23liBacklotExample', slug: 'backlot-app', node_id: 'A_kwHOAAAAAs4AAAPp' },
  ...{ owner: toPerson(ownerOf(reader)), name: 'Backlot App', description: 'The app that plays the part of yours.' },
  ...{ external_url: 'https://app.example', html_url: 'https://github.example/apps/backlot-app', ...EPOCH },
  ...{ permissions: PERMISSIONS, events: EVENTS, installations_count: 1 },
})

/** GitHub's own app, which checks the jobs of workflows. */
export const toActionsApp = (reader: Reader): Fields => ({
  ...{ ...toApp(reader), id: 15368, client_id: 'Iv1.05c79e9ad1f6bdfa', slug: 'github-actions', name: 'GitHub Actions' },
  ...{
    description: '',
    external_url: 'https://help.github.example',
    html_url: 'https://github.example/apps/github-actions',
  },
})

/** Its only installation. */
export const toInstallation = (reader: Reader): Fields => ({
  ...{ id: INSTALLATION_ID, account: toPerson(ownerOf(reader)), app_id: 1001, app_slug: 'backlot-app' },
  access_tokens_url: `https://api.github.example/app/installations/${INSTALLATION_ID}/access_tokens`,
  repositories_url: 'https://api.github.example/installation/repositories',
  html_url: `https://github.example/settings/installations/${INSTALLATION_ID}`,
  ...{ target_id: ownerOf(reader).id ?? null, target_type: 'User', permissions: PERMISSIONS, events: EVENTS, ...EPOCH },
  ...{ single_file_name: null, repository_selection: 'all', suspended_by: null, suspended_at: null },
})
