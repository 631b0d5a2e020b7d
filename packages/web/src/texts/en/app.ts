export const app = {
  name: 'Countersign',
  loading: 'Loading …',
  working: 'Working …',
  cancel: 'Not now',
  close: 'Close',
  more: 'More is loaded as you scroll.',
  rows: (n: number, all: boolean) => (all ? `${n}` : `${n}+`),
  skip: 'Skip to the content',
  navigation: 'Main',
  notFoundTitle: 'Nothing here',
  notFoundHint: 'This address has no page. It may have been mistyped.',
  failedTitle: 'This page failed',
  toRuns: 'To the runs',
  live: { connecting: 'Connecting …', live: 'Live', polling: 'Not live: loaded again every few seconds' },
  menu: 'Menu',
  theme: { light: 'Light', dark: 'Dark', auto: 'Auto' },
  appearance: 'Appearance',
  times: 'Times',
  signedInAs: (name: string, role: string) => `${name} · ${role}`,
  signOut: 'Sign out',
  showKeys: 'Keyboard shortcuts',
  search: 'Go to …',
  searchHint: 'A page, or the id of a run',
  searchNothing: 'Nothing found',
  openRun: (id: string) => `Open run ${id}`,
  apiDocs: 'API',
  nav: {
    runs: 'Runs',
    approvals: 'Approvals',
    questions: 'Questions',
    workflows: 'Workflows',
    inboundEvents: 'Inbound events',
    deliveries: 'Deliveries',
    policies: 'Policies',
    settings: 'Settings',
  },
} as const;

export const keys = {
  title: 'Keyboard shortcuts',
  everywhere: 'Everywhere',
  goTo: (page: string) => `Go to ${page}`,
  help: 'Show the shortcuts',
} as const;

export const problems = {
  title: 'Something went wrong',
  noConnection: 'The server does not answer. It may be restarting; try again in a moment.',
  trace: 'trace',
  retry: 'Try again',
} as const;

export const time = { relative: 'Relative', local: 'Local', utc: 'UTC' } as const;
