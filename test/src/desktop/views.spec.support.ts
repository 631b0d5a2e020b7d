import { readdirSync, readFileSync } from 'node:fs';
import type { Approval } from '@countersign/contract';
import type { Locator, Page } from 'playwright-core';
import { OPENING } from '../web/view.spec.support.js';
import { longGrace } from '../web/long-grace.spec.support.js';
import { button, openApproval } from './deciding.spec.support.js';
import type { Desktop } from './desktop.spec.support.js';

/** What waits on the server, each for a view of its own. */
export interface Waiting {
  readonly simple: Approval;
  /** Its subject has changed since it was asked the first time. */
  readonly again: Approval;
  readonly risky: Approval;
  readonly call: Approval;
  readonly decided: Approval;
}

/** The window in one of its states. */
export interface DesktopView {
  readonly name: string;
  /** `nobody`: at a first start; `out`: a server is known; `in`: somebody is signed in; `idle`: at a server where nothing waits. */
  readonly as: 'nobody' | 'out' | 'in' | 'idle';
  /** What the main process says of the session, where it is to be another one than it is. */
  readonly session?: object;
  readonly act?: (desktop: Desktop, waiting: Waiting) => Promise<unknown>;
  readonly seen: (page: Page) => Locator;
  /** What brings it back, where loading it again does not. */
  readonly after?: (page: Page) => Promise<unknown>;
  /** The source files of the dialogs and menus that are open, within the window's sources. */
  readonly opens?: readonly string[];
}

const SOURCES = new URL('../../../packages/desktop/src/renderer/', import.meta.url);

/** The source files of the window that open dialogs or menus. */
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
    name: 'an address that is refused',
    as: 'nobody',
    act: async ({ page }) => {
      await page.getByRole('textbox', { name: 'Address' }).fill('http://countersign.example.com');
      await button(page, 'Add').click();
    },
    seen: (page) => page.getByRole('alert').getByText('Use https.'),
  },
  { name: 'signing in by a token', as: 'out', seen: heading(/^Sign in to/) },
  {
    name: 'a token that is refused',
    as: 'out',
    act: async ({ page }) => {
      await page.getByLabel(/^Development token/).fill('none');
      await button(page, 'Sign in').click();
    },
    seen: (page) => page.getByRole('alert', { name: 'You are not signed in' }),
  },
  {
    name: 'signing in by an issuer',
    as: 'out',
    session: signedOut({}),
    seen: (page) => button(page, 'Sign in with the browser'),
  },
  {
    name: 'a sign-in that failed',
    as: 'out',
    session: signedOut({ failure: { code: 'refused', message: 'The issuer has refused it.' } }),
    seen: (page) => page.getByRole('alert').getByText('The issuer has refused it.'),
  },
  {
    name: 'an issuer that is not configured',
    as: 'out',
    session: signedOut({ offer: { ...OFFER, clientId: null } }),
    seen: (page) => page.getByText('Auth:ClientId is missing'),
  },
  {
    name: 'signing in in the browser',
    as: 'out',
    session: { kind: 'signing-in', offer: OFFER },
    seen: (page) => page.getByRole('status').getByText('Continue in your browser'),
  },
  {
    name: 'a server that does not answer',
    as: 'out',
    session: { kind: 'unreachable', failure: { code: 'unreachable', message: 'The server is not responding.' } },
    seen: heading(/is not responding$/),
  },
  { name: 'somebody without a role', as: 'out', session: { kind: 'no-role' }, seen: heading('You have no role here') },
  {
    name: 'servers',
    as: 'out',
    act: ({ page }) => page.getByRole('button', { name: /^Server: / }).click(),
    seen: (page) => page.getByRole('menuitem', { name: 'Add a server' }),
    opens: ['session/server-menu.tsx'],
  },
  {
    name: 'what can be done where nobody is signed in',
    as: 'out',
    act: ({ page }) => page.keyboard.press('Control+k'),
    seen: (page) => page.getByRole('option', { name: 'Add a server' }),
  },
  {
    name: 'adding another server',
    as: 'out',
    act: find('add a server'),
    seen: dialog('Add a server'),
    opens: ['session/server-menu.tsx'],
  },
  {
    name: 'a session that has ended',
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
    name: 'an inbox in which nothing waits',
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
    name: 'an approval of something that has changed',
    as: 'in',
    act: show('again'),
    seen: (page) => page.getByRole('heading', { name: 'Since round 1' }),
  },
  {
    name: 'what one says with a decision',
    as: 'in',
    act: async (desktop, waiting) => {
      await show('simple')(desktop, waiting);
      await button(desktop.page, 'Request changes').click();
    },
    seen: (page) => page.getByRole('form', { name: 'Request changes' }),
  },
  {
    name: 'a high risk, asked once more',
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
    name: 'a decision that can be taken back',
    as: 'in',
    act: async (desktop, waiting) => {
      await show('simple')(desktop, waiting);
      // Its seconds are long enough to look around.
      await longGrace(desktop.page);
      await button(desktop.page, 'Reject').click();
      await desktop.page.getByRole('form').getByRole('button', { name: 'Reject' }).click();
    },
    seen: (page) => page.getByRole('button', { name: /^Undo/ }),
    after: (page) => page.getByRole('button', { name: /^Undo/ }).click(),
  },
  {
    name: 'an approval that is decided',
    as: 'in',
    act: show('decided'),
    seen: (page) => page.getByText('Approved by ben.').first(),
  },
  { name: 'letting somebody else decide', as: 'in', act: more('Delegate'), seen: dialog('Delegate this approval') },
  { name: 'letting others decide', as: 'in', act: more('Reassign'), seen: dialog('Reassign this approval') },
];

const EVERYWHERE: readonly DesktopView[] = [
  {
    name: 'who one is',
    as: 'in',
    act: ({ page }) => page.getByRole('button', { name: 'ada · Admin' }).click(),
    seen: (page) => page.getByRole('menuitem', { name: 'Sign out' }),
  },
  {
    name: 'what can be done',
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
    name: 'nothing that can be done',
    as: 'in',
    act: async ({ page }) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('nothing like this');
    },
    seen: (page) => page.getByRole('status').getByText('Nothing found'),
  },
  {
    name: 'notifications and the start',
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
    name: 'putting off',
    as: 'in',
    act: async (desktop, waiting) => {
      await show('simple')(desktop, waiting);
      await button(desktop.page, 'Reject').waitFor();
      await desktop.page.keyboard.press('h');
    },
    seen: (page) => page.getByRole('dialog'),
  },
  { name: 'the keys', as: 'in', act: ({ page }) => page.keyboard.press('?'), seen: dialog('Keyboard shortcuts') },
  {
    name: 'setting the keys',
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
