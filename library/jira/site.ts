import { type Jira, type Operations, toTime } from './jira.ts'

const originOf = ({ of }: Jira): string => of.origin ?? ''

/** What Jira says of a site and its settings. */
export const site: Operations = {
  'GET serverInfo': (jira) => ({
    baseUrl: originOf(jira),
    displayUrl: originOf(jira),
    serverTitle: 'Jira',
    serverTimeZone: 'Etc/UTC',
    deploymentType: 'Cloud',
    version: '1001.0.0-SNAPSHOT',
    versionNumbers: [1001, 0, 0],
    buildNumber: 100300,
    scmInfo: '0'.repeat(40),
    buildDate: '2026-01-01T00:00:00.000+0000',
    serverTime: toTime(jira.now),
    defaultLocale: { locale: 'en_US' },
  }),
  'GET attachment/meta': () => ({ enabled: true, uploadLimit: 8_388_608 }),
  'GET configuration': () => ({
    votingEnabled: true,
    watchingEnabled: true,
    unassignedIssuesAllowed: true,
    subTasksEnabled: true,
    issueLinkingEnabled: true,
    timeTrackingEnabled: true,
    attachmentsEnabled: true,
    timeTrackingConfiguration: {
      ...{ workingHoursPerDay: 8, workingDaysPerWeek: 5, timeFormat: 'pretty', defaultUnit: 'minute' },
    },
  }),
  'GET dashboard': (jira) => {
    const self = jira.link('dashboard/10000')
    const facts = { isFavourite: false, popularity: 1, systemDashboard: true, sharePermissions: [] }
    const dashboards = [{ id: '10000', self, name: 'Default dashboard', ...facts }]
    return { startAt: 0, maxResults: 20, total: 1, dashboards }
  },
}

/** The sites that an access token is for. */
export const accessibleSites: Operations = {
  'GET /oauth/token/accessible-resources': (jira) => [
    {
      id: '00000000-0000-4000-8000-000000000c1d',
      url: originOf(jira),
      name: 'backlot',
      scopes: ['read:jira-work', 'write:jira-work', 'read:jira-user'],
      avatarUrl: 'https://avatars.example/site.png',
    },
  ],
}
