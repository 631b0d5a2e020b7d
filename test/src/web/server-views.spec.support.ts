import type { Page } from 'playwright-core';
import { button, click, dialog, mockEmptyList, heading, type View } from './view.spec.support.js';

const retryAction =
  (rowName: RegExp, name: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('row', { name: rowName }).focus();
    await page.keyboard.press('Enter');
    await button(page, name).click();
  };

const EVENT_VIEWS: readonly View[] = [
  {
    name: 'inbound events',
    route: 'inbound-events',
    path: () => '/inbound-events',
    expected: (page) => page.getByRole('row', { name: /ci\.passed nobody/ }),
  },
  {
    name: 'inbound events: one event',
    route: 'inbound-events',
    path: ({ eventId }) => `/inbound-events?event=${eventId}`,
    expected: dialog('Event ci.passed'),
    opens: ['inbound-events/event-panel.tsx'],
  },
  {
    name: 'inbound events: redelivery',
    route: 'inbound-events',
    path: () => '/inbound-events',
    openView: retryAction(/ci\.passed nobody/, 'Deliver again'),
    expected: dialog('Deliver this event again?'),
  },
  {
    name: 'inbound events: none',
    route: 'inbound-events',
    path: () => '/inbound-events',
    mockApi: mockEmptyList(/^inbound-events$/),
    expected: (page) => page.getByText('No events yet'),
  },
  {
    name: 'inbound events, without permission',
    route: 'inbound-events',
    path: () => '/inbound-events',
    viewer: 'viewer',
    expected: (page) => page.getByRole('alert'),
  },
  {
    name: 'deliveries',
    route: 'deliveries',
    path: () => '/deliveries',
    expected: (page) => page.getByRole('row', { name: /desk Paused/ }),
  },
  {
    name: 'deliveries: one delivery',
    route: 'deliveries',
    path: () => '/deliveries',
    openView: async (page) => {
      await page.getByRole('row', { name: /desk Paused/ }).focus();
      await page.keyboard.press('Enter');
    },
    expected: dialog('Delivery to desk'),
    opens: ['outbound-deliveries/delivery-panel.tsx'],
  },
  {
    name: 'deliveries: sending again',
    route: 'deliveries',
    path: () => '/deliveries',
    openView: retryAction(/desk Paused/, 'Send again'),
    expected: dialog('Send this notification again?'),
  },
  {
    name: 'deliveries: none',
    route: 'deliveries',
    path: () => '/deliveries',
    mockApi: mockEmptyList(/^outbound-deliveries$/),
    expected: (page) => page.getByText('No notifications yet'),
  },
];

const SETTING_VIEWS: readonly View[] = [
  {
    name: 'settings',
    route: 'settings',
    path: () => '/settings',
    expected: (page) => page.getByRole('group', { name: 'Runs:StuckAfter' }),
  },
  {
    name: 'settings: no matching setting',
    route: 'settings',
    path: () => '/settings?q=nothing-like-this',
    expected: (page) => page.getByText('No matching settings'),
  },
  {
    name: 'settings: a value',
    route: 'settings',
    path: () => '/settings?q=stuck',
    openView: click('Edit Runs:StuckAfter'),
    expected: (page) => page.getByRole('dialog').getByRole('textbox', { name: 'Value' }),
    opens: ['settings/edit-dialog.tsx'],
  },
  {
    name: 'settings: an invalid value',
    route: 'settings',
    path: () => '/settings?q=stuck',
    openView: async (page) => {
      await button(page, 'Edit Runs:StuckAfter').click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Value' }).fill('soon');
      await page.keyboard.press('Enter');
    },
    expected: (page) => page.getByText('Enter a duration, for example PT10M.'),
  },
  {
    name: 'settings: review of the changes',
    route: 'settings',
    path: () => '/settings?q=replayed',
    openView: async (page) => {
      await page.getByRole('switch', { name: 'Reject replayed bodies', exact: true }).press('Space');
      await button(page, 'Review and save').click();
    },
    expected: dialog('Save these changes?'),
    opens: ['settings/review-dialog.tsx'],
  },
  {
    name: 'settings: a secret',
    route: 'settings',
    path: () => '/settings?section=Door',
    openView: click('Rotate Door:Sources:ci:Secret'),
    expected: (page) => page.getByRole('dialog').getByLabel('New secret'),
    opens: ['settings/rotate-dialog.tsx'],
  },
  {
    name: 'settings: tests',
    route: 'settings',
    path: () => '/settings?tab=tests',
    openView: click('Test bell'),
    expected: (page) => page.getByRole('region', { name: 'bell' }).getByText('Does not work'),
  },
  {
    name: 'settings: agents',
    route: 'settings',
    path: () => '/settings?tab=agents',
    expected: (page) => page.getByRole('row', { name: /files\.read.*It was changed\./ }),
  },
  {
    name: 'settings: a changed tool',
    route: 'settings',
    path: () => '/settings?tab=agents',
    openView: click('Review and accept files.read'),
    expected: dialog('Accept files.read as it is now?'),
    opens: ['settings/tool-list.tsx'],
  },
  {
    name: 'settings, without permission',
    route: 'settings',
    path: () => '/settings',
    viewer: 'viewer',
    expected: (page) => page.getByRole('alert'),
  },
];

/** Mocks the sign-in configuration of a server with an OIDC issuer. */
const mockIssuer = (page: Page): Promise<unknown> =>
  page.route('**/api/auth/config', async (route) => {
    const config = (await (await route.fetch()).json()) as object;
    await route.fulfill({
      json: { ...config, mode: 'oidc', issuer: 'https://id.example', clientId: 'countersign', scopes: ['openid'] },
    });
  });

const SESSION_VIEWS: readonly View[] = [
  {
    name: 'sign-in',
    route: 'runs',
    isReplaced: true,
    path: () => '/runs',
    viewer: 'nobody',
    expected: heading('Sign in to Countersign'),
  },
  {
    name: 'sign-in at an issuer',
    route: 'runs',
    isReplaced: true,
    path: () => '/runs',
    viewer: 'nobody',
    mockApi: mockIssuer,
    expected: (page) => page.getByText('You sign in at id.example.'),
  },
  {
    name: 'sign-in: not configured',
    route: 'runs',
    isReplaced: true,
    path: () => '/runs',
    viewer: 'nobody',
    mockApi: (page) =>
      page.route('**/api/auth/config', async (route) =>
        route.fulfill({
          json: {
            ...((await (await route.fetch()).json()) as object),
            devToken: { enabled: false, endpoint: null, users: [] },
          },
        }),
      ),
    expected: (page) => page.getByText(/Signing in is not configured/),
  },
  {
    name: 'a sign-in that did not start in this window',
    route: '/sign-in/callback',
    path: () => '/sign-in/callback?code=stolen&state=forged',
    viewer: 'nobody',
    mockApi: mockIssuer,
    expected: (page) => page.getByRole('alert').getByText('This sign-in did not start in this window'),
  },
  {
    name: 'a user without a role',
    route: 'runs',
    isReplaced: true,
    path: () => '/runs',
    viewer: 'stranger',
    expected: heading('You have no role here'),
  },
  {
    name: 'an unexpected error',
    route: 'runs',
    isReplaced: true,
    path: () => '/runs',
    viewer: 'nobody',
    mockApi: (page) =>
      page.route('**/api/auth/config', (route) =>
        route.fulfill({ json: { mode: 'dev', issuer: null, clientId: null, scopes: [], roles: [] } }),
      ),
    expected: (page) => page.getByRole('alert').getByText('Something went wrong', { exact: true }),
  },
];

export const SERVER_VIEWS: readonly View[] = [...EVENT_VIEWS, ...SETTING_VIEWS, ...SESSION_VIEWS];
