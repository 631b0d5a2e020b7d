export const app = {
  name: 'Countersign',
  needsScript: 'Countersign needs JavaScript.',
  loading: 'Loading…',
  working: 'Working…',
  cancel: 'Not now',
  close: 'Close',
  more: 'Scroll to load more.',
  rows: (n: number, all: boolean) => (all ? `${n}` : `${n}+`),
  skip: 'Skip to the content',
  navigation: 'Main',
  notFoundTitle: 'Nothing here',
  notFoundHint: 'There is no page at this address. It may have been mistyped.',
  failedTitle: 'This page failed',
  toRuns: 'Go to the runs',
  live: { connecting: 'Connecting…', live: 'Live', polling: 'Not live: refreshed every few seconds' },
  menu: 'Menu',
  theme: { light: 'Light', dark: 'Dark', auto: 'Auto' },
  appearance: 'Appearance',
  times: 'Times',
  signedInAs: (name: string, role: string) => `${name} · ${role}`,
  signOut: 'Sign out',
  showKeys: 'Keyboard shortcuts',
  search: 'Go to…',
  searchHint: 'A page, an approval, a command or a run id',
  openRun: (id: string) => `Open run ${id}`,
  apiDocs: 'API',
  thirdPartyNotices: 'Third-party notices',
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
  palette: 'Find a command',
  open: 'Customize shortcuts',
  change: 'Change the shortcuts',
  noneNow: 'No shortcuts are available here.',
  appearance: (appearance: string) => `Appearance: ${appearance}`,
  times: (times: string) => `Times: ${times}`,
  settings: {
    title: 'Keyboard',
    characters: 'Single-key shortcuts',
    charactersHint:
      'Turn this off if keys are pressed by accident, for example by speech input. Shortcuts with Ctrl or ⌘ keep working.',
    hint: 'Choose a shortcut, then press the new key; g followed by another key makes a sequence. Backspace removes the shortcut, Escape keeps it.',
    none: 'No key',
    change: (action: string, keys: string) => `${action}: ${keys}. Change`,
    press: (action: string) => `${action}: press a key`,
    listening: 'Press a key…',
    second: 'g, and then…',
    reset: (action: string) => `${action}: restore the default`,
    resetAll: 'Restore all defaults',
    has: (action: string, keys: string) => `${action} now has the key ${keys}.`,
    hasNone: (action: string) => `${action} has no key.`,
    taken: (keys: string, action: string) => `${keys} is already used for “${action}”.`,
    reserved: 'This key is reserved for navigation, editing and the window.',
    fixed: 'Fixed',
  },
} as const;

export const palette = {
  label: 'Find a command',
  hint: 'Search commands and waiting approvals',
  nothing: 'Nothing found',
  results: 'Results',
  pages: 'Pages',
  approvals: 'Waiting for you',
} as const;

export const problems = {
  title: 'Something went wrong',
  noConnection: 'The server is not responding. It may be restarting; try again in a moment.',
  noIssuer: 'Your session can’t be renewed, because the issuer is not responding. Try again in a moment.',
  unexpected: 'Something went wrong on this page. Reload it; if it happens again, tell your administrator.',
  trace: 'trace',
  retry: 'Try again',
} as const;

export const time = {
  relative: 'Relative',
  local: 'Local',
  utc: 'UTC',
  inUtc: (time: string) => `${time} UTC`,
  justNow: 'just now',
  /** Texts about an entered local time. */
  typed: {
    invalid: 'Enter a date and time before the year 10000.',
    skipped: (time: string, next: string) =>
      `${time} does not exist, because the clocks skip it. Choose another time: the next one is ${next}.`,
    twice: (time: string) => `${time} occurs twice, because the clocks are set back. Which one do you mean?`,
    first: (time: string) => `${time}, before the clocks are set back`,
    second: (time: string) => `${time}, after the clocks are set back`,
  },
  /** Short units of duration. */
  units: { ms: 'ms', s: 's', min: 'min', h: 'h', d: 'd' },
  length: (n: string, unit: string) => `${n} ${unit}`,
} as const;
