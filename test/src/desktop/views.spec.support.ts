import { readdirSync, readFileSync } from 'node:fs';
import type { Approval } from '@countersign/contract';
import type { Locator, Page } from 'playwright-core';
import { OPENING } from '../web/view.spec.support.js';
import { longGrace } from '../web/long-grace.spec.support.js';
import { button, openApproval } from './deciding.spec.support.js';
import type { Desktop } from './desktop.spec.support.js';

/** The open approvals on the server, each for its own view. */
export interface Waiting {
  readonly simple: Approval;
  /** Approval whose subject has changed since the first round. */
  readonly again: Approval;
  readonly risky: Approval;
  readonly call: Approval;
  readonly decided: Approval;
}

/** The window in one of its states. */
export interface DesktopView {
  readonly name: string;
  /** `nobody`: first start; `out`: known server, signed out; `in`: signed in; `idle`: on a server without approvals. */
  readonly as: 'nobody' | 'out' | 'in' | 'idle';
  /** Session state that the main process sends, if it is not the actual one. */
  readonly session?: object;
  readonly act?: (desktop: Desktop, waiting: Waiting) => Promise<unknown>;
  readonly seen: (page: Page) => Locator;
  /** Restores the window if a reload does not. */
  readonly after?: (page: Page) => Promise<unknown>;
  /** Source files of the open dialogs and menus, relative to the sources of the window. */
  readonly opens?: readonly string[];
}

const SOURCES = new URL('../../../packages/desktop/src/renderer/', import.meta.url);

/** Returns the source files of the window that open dialogs or menus. */
export function openingSources(): readonly string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && OPENING.test(readFileSync(new URL(name, SOURCES), 'utf8')))
    .sort();
}

const heading =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('heading', { level: 1, name });
const dialog =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('dialog', { name });
const show =
  (which: keyof Waiting) =>
  (desktop: Desktop, waiting: Waiting): Promise<void> =>
    openApproval(desktop, waiting[which]);
const find =
  (what: string) =>
  async ({ page }: Desktop): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(what);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
  };

const OFFER = {
  mode: 'oidc',
  issuer: 'https://login.example.com/realms/a',
  clientId: 'countersign',
  developmentToken: false,
};
const signedOut = (more: object): object => ({
  kind: 'signed-out',
  reason: 'never',
  offer: OFFER,
  failure: null,
  ...more,
});

const SIGNING_IN: readonly DesktopView[] = [
  { name: 'the first start', as: 'nobody', seen: heading('Welcome to Countersign') },
  {
    name: 'a refused address',
    as: 'nobody',
    act: async ({ page }) => {
      await page.getByRole('textbox', { name: 'Address' }).fill('http://countersign.example.com');
      await button(page, 'Add').click();
    },
    seen: (page) => page.getByRole('alert').getByText('Use https.'),
  },
  { name: 'sign-in with a token', as: 'out', seen: heading(/^Sign in to/) },
  {
    name: 'a refused token',
    as: 'out',
    act: async ({ page }) => {
      await page.getByLabel(/^Development token/).fill('none');
      await button(page, 'Sign in').click();
    },
    seen: (page) => page.getByRole('alert', { name: 'You are not signed in' }),
  },
  {
    name: 'sign-in with an issuer',
    as: 'out',
    session: signedOut({}),
    seen: (page) => button(page, 'Sign in with the browser'),
  },
  {
    name: 'a failed sign-in',
    as: 'out',
    session: signedOut({ failure: { code: 'refused', message: 'The issuer has refused it.' } }),
    seen: (page) => page.getByRole('alert').getByText('The issuer has refused it.'),
  },
  {
    name: 'an issuer without configuration',
    as: 'out',
    session: signedOut({ offer: { ...OFFER, clientId: null } }),
    seen: (page) => page.getByText('Auth:ClientId is missing'),
  },
  {
    name: 'sign-in in the browser',
    as: 'out',
    session: { kind: 'signing-in', offer: OFFER },
    seen: (page) => page.getByRole('status').getByText('Continue in your browser'),
  },
  {
    name: 'a server that does not respond',
    as: 'out',
    session: { kind: 'unreachable', failure: { code: 'unreachable', message: 'The server is not responding.' } },
    seen: heading(/is not responding$/),
  },
  { name: 'a user without a role', as: 'out', session: { kind: 'no-role' }, seen: heading('You have no role here') },
  {
    name: 'servers',
    as: 'out',
    act: ({ page }) => page.getByRole('button', { name: /^Server: / }).click(),
    seen: (page) => page.getByRole('menuitem', { name: 'Add a server' }),
    opens: ['session/server-menu.tsx'],
  },
  {
    name: 'commands without a signed-in user',
    as: 'out',
    act: ({ page }) => page.keyboard.press('Control+k'),
    seen: (page) => page.getByRole('option', { name: 'Add a server' }),
  },
  {
    name: 'adding a server',
    as: 'out',
    act: find('add a server'),
    seen: dialog('Add a server'),
    opens: ['session/server-menu.tsx'],
  },
  {
    name: 'an ended session',
    as: 'in',
    session: signedOut({ reason: 'ended' }),
    seen: dialog('Your session has ended'),
    opens: ['session/session-screens.tsx'],
  },
];

const more =
  (item: string) =>
  async (desktop: Desktop, waiting: Waiting): Promise<void> => {
    await show('call')(desktop, waiting);
    await button(desktop.page, 'More decisions').click();
    await desktop.page.getByRole('menuitem', { name: item }).click();
  };

const INBOX: readonly DesktopView[] = [
  {
    name: 'an empty inbox',
    as: 'idle',
    seen: (page) => page.getByText('Nothing is waiting for you.'),
  },
  { name: 'an inbox', as: 'in', seen: (page) => page.getByRole('row', { name: /Approve the risky release/ }) },
  { name: 'an approval', as: 'in', act: show('simple'), seen: (page) => button(page, 'Reject') },
  {
    name: 'an approval of a call',
    as: 'in',
    act: show('call'),
    seen: (page) => page.getByText(/Calls note with text/).first(),
  },
  {
    name: 'an approval whose subject has changed',
    as: 'in',
    act: show('again'),
    seen: (page) => page.getByRole('heading', { name: 'Since round 1' }),
  },
  {
    name: 'a comment on a decision',
    as: 'in',
    act: async (desktop, waiting) => {
      await show('simple')(desktop, waiting);
      await button(desktop.page, 'Request changes').click();
    },
    seen: (page) => page.getByRole('form', { name: 'Request changes' }),
  },
  {
    name: 'the confirmation of a high risk',
    as: 'in',
    act: async (desktop, waiting) => {
      await show('risky')(desktop, waiting);
      await button(desktop.page, 'Open notes.md').click();
      await desktop.page.getByText('Opened', { exact: true }).waitFor();
      await button(desktop.page, 'Approve').click();
      await desktop.page.getByRole('form').getByRole('button', { name: 'Approve' }).click();
    },
    seen: dialog('High risk: approve it?'),
  },
  {
    name: 'a vote in the undo window',
    as: 'in',
    act: async (desktop, waiting) => {
      await show('simple')(desktop, waiting);
      // The undo window is long enough for the checks.
      await longGrace(desktop.page);
      await button(desktop.page, 'Reject').click();
      await desktop.page.getByRole('form').getByRole('button', { name: 'Reject' }).click();
    },
    seen: (page) => page.getByRole('button', { name: /^Undo/ }),
    after: (page) => page.getByRole('button', { name: /^Undo/ }).click(),
  },
  {
    name: 'a decided approval',
    as: 'in',
    act: show('decided'),
    seen: (page) => page.getByText('Approved by ben.').first(),
  },
  { name: 'delegating an approval', as: 'in', act: more('Delegate'), seen: dialog('Delegate this approval') },
  { name: 'reassigning an approval', as: 'in', act: more('Reassign'), seen: dialog('Reassign this approval') },
];

const EVERYWHERE: readonly DesktopView[] = [
  {
    name: 'the user menu',
    as: 'in',
    act: ({ page }) => page.getByRole('button', { name: 'ada · Admin' }).click(),
    seen: (page) => page.getByRole('menuitem', { name: 'Sign out' }),
  },
  {
    name: 'commands',
    as: 'in',
    act: async (desktop, waiting) => {
      await show('simple')(desktop, waiting);
      await button(desktop.page, 'Reject').waitFor();
      await desktop.page.keyboard.press('Control+k');
      await desktop.page.keyboard.type('re');
    },
    seen: (page) => page.getByRole('option', { name: /^Reject/ }),
  },
  {
    name: 'no matching command',
    as: 'in',
    act: async ({ page }) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('nothing like this');
    },
    seen: (page) => page.getByRole('status').getByText('Nothing found'),
  },
  {
    name: 'settings for notifications and startup',
    as: 'in',
    act: find('notifications and start'),
    seen: dialog('Notifications and startup'),
    opens: ['presence/presence-dialog.tsx'],
  },
  {
    name: 'the signing key',
    as: 'in',
    act: find('signing key'),
    seen: dialog('Signing key'),
    opens: ['signing/signing-dialog.tsx'],
  },
  { name: 'questions', as: 'in', act: find('go to questions'), seen: heading('Questions') },
  {
    name: 'snoozing an approval',
    as: 'in',
    act: async (desktop, waiting) => {
      await show('simple')(desktop, waiting);
      await button(desktop.page, 'Reject').waitFor();
      await desktop.page.keyboard.press('h');
    },
    seen: (page) => page.getByRole('dialog'),
  },
  { name: 'shortcuts', as: 'in', act: ({ page }) => page.keyboard.press('?'), seen: dialog('Keyboard shortcuts') },
  {
    name: 'customizing shortcuts',
    as: 'in',
    act: async (desktop) => {
      await find('customize shortcuts')(desktop);
      await button(desktop.page, 'Approve: a. Change').click();
      await desktop.page.keyboard.press('r');
    },
    seen: (page) => page.getByRole('alert').getByText('r is taken: Reject.'),
  },
];

export const DESKTOP_VIEWS: readonly DesktopView[] = [...SIGNING_IN, ...INBOX, ...EVERYWHERE];
