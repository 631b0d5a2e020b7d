import type { Page } from 'playwright-core';
import { button, click, dialog, empty, heading, type View } from './view.spec.support.js';

const again =
  (list: RegExp, name: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('row', { name: list }).focus();
    await page.keyboard.press('Enter');
    await button(page, name).click();
  };

const EVENTS: readonly View[] = [
  {
    name: 'inbound events',
    route: 'inbound-events',
    at: () => '/inbound-events',
    seen: (page) => page.getByRole('row', { name: /ci\.passed nobody/ }),
  },
  {
    name: 'inbound events: one event',
    route: 'inbound-events',
    at: ({ eventId }) => `/inbound-events?event=${eventId}`,
    seen: dialog('Event ci.passed'),
    opens: ['inbound-events/event-panel.tsx'],
  },
  {
    name: 'inbound events: redelivery',
    route: 'inbound-events',
    at: () => '/inbound-events',
    act: again(/ci\.passed nobody/, 'Deliver again'),
    seen: dialog('Deliver this event again?'),
  },
  {
    name: 'inbound events: none',
    route: 'inbound-events',
    at: () => '/inbound-events',
    given: empty(/^inbound-events$/),
    seen: (page) => page.getByText('No events yet'),
  },
  {
    name: 'inbound events, without permission',
    route: 'inbound-events',
    at: () => '/inbound-events',
    as: 'viewer',
    seen: (page) => page.getByRole('alert'),
  },
  {
    name: 'deliveries',
    route: 'deliveries',
    at: () => '/deliveries',
    seen: (page) => page.getByRole('row', { name: /desk Held/ }),
  },
  {
    name: 'deliveries: one delivery',
    route: 'deliveries',
    at: () => '/deliveries',
    act: async (page) => {
      await page.getByRole('row', { name: /desk Held/ }).focus();
      await page.keyboard.press('Enter');
    },
    seen: dialog('Delivery to desk'),
    opens: ['inbound-events/delivery-panel.tsx'],
  },
  {
    name: 'deliveries: sending again',
    route: 'deliveries',
    at: () => '/deliveries',
    act: again(/desk Held/, 'Send again'),
    seen: dialog('Send this notification again?'),
  },
  {
    name: 'deliveries: none',
    route: 'deliveries',
    at: () => '/deliveries',
    given: empty(/^outbound-deliveries$/),
    seen: (page) => page.getByText('No notifications yet'),
  },
];

const SETTINGS: readonly View[] = [
  {
    name: 'settings',
    route: 'settings',
    at: () => '/settings',
    seen: (page) => page.getByRole('group', { name: 'Runs:StuckAfter' }),
  },
  {
    name: 'settings: no matching setting',
    route: 'settings',
    at: () => '/settings?q=nothing-like-this',
    seen: (page) => page.getByText('No matching settings'),
  },
  {
    name: 'settings: a value',
    route: 'settings',
    at: () => '/settings?q=stuck',
    act: click('Edit Runs:StuckAfter'),
    seen: (page) => page.getByRole('dialog').getByRole('textbox', { name: 'Value' }),
    opens: ['settings/edit-dialog.tsx'],
  },
  {
    name: 'settings: an invalid value',
    route: 'settings',
    at: () => '/settings?q=stuck',
    act: async (page) => {
      await button(page, 'Edit Runs:StuckAfter').click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Value' }).fill('soon');
      await page.keyboard.press('Enter');
    },
    seen: (page) => page.getByText('Enter a duration, for example PT10M.'),
  },
  {
    name: 'settings: review of the changes',
    route: 'settings',
    at: () => '/settings?q=replayed',
    act: async (page) => {
      await page.getByRole('switch', { name: 'Reject replayed bodies', exact: true }).press('Space');
      await button(page, 'Review and save').click();
    },
    seen: dialog('Save these changes?'),
    opens: ['settings/review-dialog.tsx'],
  },
  {
    name: 'settings: a secret',
    route: 'settings',
    at: () => '/settings?section=Door',
    act: click('Rotate Door:Sources:ci:Secret'),
    seen: (page) => page.getByRole('dialog').getByLabel('New secret'),
    opens: ['settings/rotate-dialog.tsx'],
  },
  {
    name: 'settings: tests',
    route: 'settings',
    at: () => '/settings?tab=tests',
    act: click('Test bell'),
    seen: (page) => page.getByRole('region', { name: 'bell' }).getByText('Does not work'),
  },
  {
    name: 'settings: agents',
    route: 'settings',
    at: () => '/settings?tab=agents',
    seen: (page) => page.getByRole('row', { name: /files\.read.*It was changed\./ }),
  },
  {
    name: 'settings: a changed tool',
    route: 'settings',
    at: () => '/settings?tab=agents',
    act: click('Review and accept files.read'),
    seen: dialog('Accept files.read as it is now?'),
    opens: ['settings/tool-list.tsx'],
  },
  {
    name: 'settings, without permission',
    route: 'settings',
    at: () => '/settings',
    as: 'viewer',
    seen: (page) => page.getByRole('alert'),
  },
];

/** Makes the server respond as if it had an issuer. */
const issuer = (page: Page): Promise<unknown> =>
  page.route('**/api/auth/config', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({
      json: { ...config, mode: 'oidc', issuer: 'https://id.example', clientId: 'countersign', scopes: ['openid'] },
    });
  });

const SESSIONS: readonly View[] = [
  {
    name: 'sign-in',
    route: 'runs',
    instead: true,
    at: () => '/runs',
    as: 'nobody',
    seen: heading('Sign in to Countersign'),
  },
  {
    name: 'sign-in at an issuer',
    route: 'runs',
    instead: true,
    at: () => '/runs',
    as: 'nobody',
    given: issuer,
    seen: (page) => page.getByText('You sign in at id.example.'),
  },
  {
    name: 'sign-in: not configured',
    route: 'runs',
    instead: true,
    at: () => '/runs',
    as: 'nobody',
    given: (page) =>
      page.route('**/api/auth/config', async (route) =>
        route.fulfill({
          json: { ...((await (await route.fetch()).json()) as object), devToken: { enabled: false, endpoint: null } },
        }),
      ),
    seen: (page) => page.getByText(/Signing in is not configured/),
  },
  {
    name: 'a sign-in that did not start in this window',
    route: '/sign-in/callback',
    at: () => '/sign-in/callback?code=stolen&state=forged',
    as: 'nobody',
    given: issuer,
    seen: (page) => page.getByRole('alert').getByText('This sign-in did not start in this window'),
  },
  {
    name: 'a user without a role',
    route: 'runs',
    instead: true,
    at: () => '/runs',
    as: 'stranger',
    seen: heading('You have no role here'),
  },
  {
    name: 'an unexpected error',
    route: 'runs',
    instead: true,
    at: () => '/runs',
    as: 'nobody',
    given: (page) =>
      page.route('**/api/auth/config', (route) =>
        route.fulfill({ json: { mode: 'dev', issuer: null, clientId: null, scopes: [], roles: [] } }),
      ),
    seen: (page) => page.getByRole('alert').getByText('Something went wrong', { exact: true }),
  },
];

export const VIEWS_OF_THE_SERVER: readonly View[] = [...EVENTS, ...SETTINGS, ...SESSIONS];
