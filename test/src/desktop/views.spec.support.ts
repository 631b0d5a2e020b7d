import { readdirSync, readFileSync } from 'node:fs';
import type { Approval } from '@countersign/contract';
import type { Locator, Page } from 'playwright-core';
import { OPENING_ELEMENT } from '../web/view.spec.support.js';
import { extendUndoWindow } from '../web/undo-window.spec.support.js';
import { findButton, openApproval } from './deciding.spec.support.js';
import type { Desktop } from './desktop.spec.support.js';

/** The open approvals on the server, each for its own view. */
export interface ViewApprovals {
  readonly simple: Approval;
  /** Approval whose subject has changed since the first round. */
  readonly secondRound: Approval;
  readonly risky: Approval;
  readonly call: Approval;
  readonly decided: Approval;
}

/** The window in one of its states. */
export interface DesktopView {
  readonly name: string;
  /** `nobody`: first start; `out`: known server, signed out; `in`: signed in; `idle`: on a server without approvals. */
  readonly signInState: 'nobody' | 'out' | 'in' | 'idle';
  /** Session state that the main process sends, if it is not the actual one. */
  readonly session?: object;
  readonly openView?: (desktop: Desktop, approvals: ViewApprovals) => Promise<unknown>;
  readonly expected: (page: Page) => Locator;
  /** Restores the window if a reload does not. */
  readonly restore?: (page: Page) => Promise<unknown>;
  /** Source files of the open dialogs and menus, relative to the sources of the window. */
  readonly opens?: readonly string[];
}

const SOURCES = new URL('../../../packages/desktop/src/renderer/', import.meta.url);

/** Returns the source files of the window that open dialogs or menus. */
export function findOpeningSources(): readonly string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && OPENING_ELEMENT.test(readFileSync(new URL(name, SOURCES), 'utf8')))
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
const createApprovalOpener =
  (name: keyof ViewApprovals) =>
  (desktop: Desktop, approvals: ViewApprovals): Promise<void> =>
    openApproval(desktop, approvals[name]);
const openByQuickNavigation =
  (query: string) =>
  async ({ page }: Desktop): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(query);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
  };

const OFFER = {
  mode: 'oidc',
  issuer: 'https://login.example.com/realms/a',
  clientId: 'countersign',
  developmentToken: false,
};
const signedOut = (overrides: object): object => ({
  kind: 'signed-out',
  reason: 'never',
  offer: OFFER,
  failure: null,
  ...overrides,
});

const SIGNING_IN: readonly DesktopView[] = [
  { name: 'the first start', signInState: 'nobody', expected: heading('Welcome to Countersign') },
  {
    name: 'a refused address',
    signInState: 'nobody',
    openView: async ({ page }) => {
      await page.getByRole('textbox', { name: 'Address' }).fill('http://countersign.example.com');
      await findButton(page, 'Add').click();
    },
    expected: (page) => page.getByRole('alert').getByText('Use https.'),
  },
  { name: 'sign-in with a token', signInState: 'out', expected: heading(/^Sign in to/) },
  {
    name: 'a refused token',
    signInState: 'out',
    openView: async ({ page }) => {
      await page.getByLabel(/^Development token/).fill('none');
      await findButton(page, 'Sign in').click();
    },
    expected: (page) => page.getByRole('alert', { name: 'Sign-in failed' }),
  },
  {
    name: 'sign-in with an issuer',
    signInState: 'out',
    session: signedOut({}),
    expected: (page) => findButton(page, 'Sign in with the browser'),
  },
  {
    name: 'a failed sign-in',
    signInState: 'out',
    session: signedOut({ failure: { code: 'refused', message: 'The issuer has refused it.' } }),
    expected: (page) => page.getByRole('alert').getByText('The issuer has refused it.'),
  },
  {
    name: 'an issuer without configuration',
    signInState: 'out',
    session: signedOut({ offer: { ...OFFER, clientId: null } }),
    expected: (page) => page.getByText('Auth:ClientId is missing'),
  },
  {
    name: 'sign-in in the browser',
    signInState: 'out',
    session: { kind: 'signing-in', offer: OFFER },
    expected: (page) => page.getByRole('status').getByText('Continue in your browser'),
  },
  {
    name: 'a server that does not respond',
    signInState: 'out',
    session: { kind: 'unreachable', failure: { code: 'unreachable', message: 'The server is not responding.' } },
    expected: heading(/is not responding$/),
  },
  {
    name: 'a user without a role',
    signInState: 'out',
    session: { kind: 'no-role' },
    expected: heading('You have no role here'),
  },
  {
    name: 'servers',
    signInState: 'out',
    openView: ({ page }) => page.getByRole('button', { name: /^Server: / }).click(),
    expected: (page) => page.getByRole('menuitem', { name: 'Add server' }),
    opens: ['session/server-menu.tsx'],
  },
  {
    name: 'commands without a signed-in user',
    signInState: 'out',
    openView: ({ page }) => page.keyboard.press('Control+k'),
    expected: (page) => page.getByRole('option', { name: 'Add server' }),
  },
  {
    name: 'adding a server',
    signInState: 'out',
    openView: openByQuickNavigation('add server'),
    expected: dialog('Add server'),
    opens: ['session/server-menu.tsx'],
  },
  {
    name: 'an ended session',
    signInState: 'in',
    session: signedOut({ reason: 'ended' }),
    expected: dialog('Your session has ended'),
    opens: ['session/session-screens.tsx'],
  },
];

const chooseMoreAction =
  (item: string) =>
  async (desktop: Desktop, approvals: ViewApprovals): Promise<void> => {
    await createApprovalOpener('call')(desktop, approvals);
    await findButton(desktop.page, 'More actions').click();
    await desktop.page.getByRole('menuitem', { name: item }).click();
  };

const INBOX: readonly DesktopView[] = [
  {
    name: 'an empty inbox',
    signInState: 'idle',
    expected: (page) => page.getByText('Nothing is waiting for you.'),
  },
  {
    name: 'an inbox',
    signInState: 'in',
    expected: (page) => page.getByRole('row', { name: /Approve the risky release/ }),
  },
  {
    name: 'an approval',
    signInState: 'in',
    openView: createApprovalOpener('simple'),
    expected: (page) => findButton(page, 'Reject'),
  },
  {
    name: 'an approval of a call',
    signInState: 'in',
    openView: createApprovalOpener('call'),
    expected: (page) => page.getByText(/Call note .*with text:/).first(),
  },
  {
    name: 'an approval whose subject has changed',
    signInState: 'in',
    openView: createApprovalOpener('secondRound'),
    expected: (page) => page.getByRole('heading', { name: 'Since round 1' }),
  },
  {
    name: 'a comment on a vote',
    signInState: 'in',
    openView: async (desktop, approvals) => {
      await createApprovalOpener('simple')(desktop, approvals);
      await findButton(desktop.page, 'Request changes').click();
    },
    expected: (page) => page.getByRole('form', { name: 'Request changes' }),
  },
  {
    name: 'the confirmation of a high risk',
    signInState: 'in',
    openView: async (desktop, approvals) => {
      await createApprovalOpener('risky')(desktop, approvals);
      await findButton(desktop.page, 'Open notes.md').click();
      await desktop.page.getByText('Opened', { exact: true }).waitFor();
      await findButton(desktop.page, 'Approve').click();
      await desktop.page.getByRole('form').getByRole('button', { name: 'Approve' }).click();
    },
    expected: dialog('High risk: approve this request?'),
  },
  {
    name: 'a vote in the undo window',
    signInState: 'in',
    openView: async (desktop, approvals) => {
      await createApprovalOpener('simple')(desktop, approvals);
      // The undo window is long enough for the checks.
      await extendUndoWindow(desktop.page);
      await findButton(desktop.page, 'Reject').click();
      await desktop.page.getByRole('form').getByRole('button', { name: 'Reject' }).click();
    },
    expected: (page) => page.getByRole('button', { name: /^Undo/ }),
    restore: (page) => page.getByRole('button', { name: /^Undo/ }).click(),
  },
  {
    name: 'a decided approval',
    signInState: 'in',
    openView: createApprovalOpener('decided'),
    expected: (page) => page.getByText('Approved by ben.').first(),
  },
  {
    name: 'delegating an approval',
    signInState: 'in',
    openView: chooseMoreAction('Delegate'),
    expected: dialog('Delegate this approval'),
  },
  {
    name: 'reassigning an approval',
    signInState: 'in',
    openView: chooseMoreAction('Reassign'),
    expected: dialog('Reassign this approval'),
  },
];

const EVERYWHERE: readonly DesktopView[] = [
  {
    name: 'the user menu',
    signInState: 'in',
    openView: ({ page }) => page.getByRole('button', { name: 'ada · Admin' }).click(),
    expected: (page) => page.getByRole('menuitem', { name: 'Sign out' }),
  },
  {
    name: 'commands',
    signInState: 'in',
    openView: async (desktop, approvals) => {
      await createApprovalOpener('simple')(desktop, approvals);
      await findButton(desktop.page, 'Reject').waitFor();
      await desktop.page.keyboard.press('Control+k');
      await desktop.page.keyboard.type('re');
    },
    expected: (page) => page.getByRole('option', { name: /^Reject/ }),
  },
  {
    name: 'no matching command',
    signInState: 'in',
    openView: async ({ page }) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('nothing like this');
    },
    expected: (page) => page.getByRole('status').getByText('Nothing found'),
  },
  {
    name: 'settings for notifications and startup',
    signInState: 'in',
    openView: openByQuickNavigation('notifications and start'),
    expected: dialog('Notifications and startup'),
    opens: ['presence/presence-dialog.tsx'],
  },
  {
    name: 'the signing key',
    signInState: 'in',
    openView: openByQuickNavigation('signing key'),
    expected: dialog('Signing key'),
    opens: ['signing/signing-dialog.tsx'],
  },
  {
    name: 'questions',
    signInState: 'in',
    openView: openByQuickNavigation('go to questions'),
    expected: heading('Questions'),
  },
  {
    name: 'snoozing an approval',
    signInState: 'in',
    openView: async (desktop, approvals) => {
      await createApprovalOpener('simple')(desktop, approvals);
      await findButton(desktop.page, 'Reject').waitFor();
      await desktop.page.keyboard.press('h');
    },
    expected: (page) => page.getByRole('dialog'),
  },
  {
    name: 'shortcuts',
    signInState: 'in',
    openView: ({ page }) => page.keyboard.press('?'),
    expected: dialog('Keyboard shortcuts'),
  },
  {
    name: 'customizing shortcuts',
    signInState: 'in',
    openView: async (desktop) => {
      await openByQuickNavigation('customize shortcuts')(desktop);
      await findButton(desktop.page, 'Approve: a. Change').click();
      await desktop.page.keyboard.press('r');
    },
    expected: (page) => page.getByRole('alert').getByText('r is already used for “Reject”.'),
  },
];

export const DESKTOP_VIEWS: readonly DesktopView[] = [...SIGNING_IN, ...INBOX, ...EVERYWHERE];
