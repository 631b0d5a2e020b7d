import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from '../approvals.spec.support.js';
import { Keyboard } from '../keyboard.spec.support.js';
import { expectCount, hasBrowser, launchBrowser, openWindow, type Window } from '../web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: keyboard settings and command palette', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;
  let window: Window;
  let page: Page;
  let keys: Keyboard;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'quorum');
    await maker.createApproval('simple');
    await maker.createApproval('quorum');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  beforeEach(async () => {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    ({ page } = window);
    keys = new Keyboard(page);
    await page.goto(`${countersign.url}/approvals`);
    await page.getByRole('row', { name: /Approve by two/ }).waitFor();
  });

  afterEach(() => window.close());

  const settings = () => page.getByRole('dialog', { name: 'Keyboard' });
  const commandPalette = () => page.getByRole('combobox', { name: 'Find a command' });
  const commandOption = (name: RegExp) => page.getByRole('option', { name });
  const form = (name: string) => page.getByRole('form', { name });

  async function searchCommandPalette(query: string): Promise<void> {
    await keys.press('Control+k');
    await keys.expectFocus(commandPalette());
    await keys.type(query);
  }

  it('should change the key of an action, refuse a key in use, and keep the change after a reload', async () => {
    // given
    await searchCommandPalette('customize shortcuts');
    await keys.press('Enter');
    await keys.expectFocusWithin(settings());

    // when: the user presses a key that is in use, a reserved key, and a free key
    await keys.activate('button', 'Approve: a. Change', { within: settings() });
    await keys.press('r');
    await settings().getByRole('alert').getByText('r is already used for “Reject”.').waitFor();
    await keys.press('Enter', 'Control+c');
    await settings().getByRole('alert').getByText('This key is reserved for').waitFor();
    await keys.press('Enter', 'b');
    await settings().getByRole('status').getByText('Approve now has the key b.').waitFor();
    await keys.activate('button', 'Reject: r. Change', { within: settings() });
    await keys.press('Escape');
    await keys.press('Enter', 'g', 'r');
    await settings().getByRole('alert').getByText('g r is already used for “Go to Runs”.').waitFor();
    await keys.press('Enter', 'Backspace');
    await settings().getByRole('status').getByText('Reject has no key.').waitFor();
    await keys.press('Escape');
    await settings().waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('row', { name: /Approve by two/ }).waitFor();

    // then
    await keys.tabTo('row', /Approve/);
    await keys.press('j');
    await page.getByRole('button', { name: 'Reject', exact: true }).waitFor();
    await keys.press('a', 'r');
    await expectCount(page.getByRole('form'), 0);
    await keys.press('b');
    await form('Approve').waitFor();
    await keys.press('Escape');
    await keys.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('row', { name: 'Approve b' }).waitFor();
    await keys.activate('button', 'Customize shortcuts');
    await keys.expectFocusWithin(settings());

    // when
    await keys.activate('button', 'Approve: restore the default', { within: settings() });
    await settings().getByRole('button', { name: 'Approve: a. Change' }).waitFor();
    await keys.activate('button', 'Restore all defaults', { within: settings() });
    await settings().getByRole('button', { name: 'Reject: r. Change' }).waitFor();
  });

  it('should ignore single-key shortcuts if the user has turned them off', async () => {
    // when
    await keys.press('?');
    await keys.activate('button', 'Customize shortcuts');
    await keys.tabTo('switch', 'Single-key shortcuts');
    await keys.press('Space', 'Escape');
    await settings().waitFor({ state: 'detached' });
    await keys.press('?', 'g', 'r', 'j');

    // then
    await expectCount(page.getByRole('dialog'), 0);
    expect(new URL(page.url()).pathname).to.equal('/approvals');
    await searchCommandPalette('next item');
    await keys.press('Enter');
    await page.getByRole('heading', { level: 2, name: /^Approve/ }).waitFor();
  });

  it('should find available actions with their keys, and waiting approvals, in the command palette', async () => {
    // given
    await searchCommandPalette('approve');
    await expectCount(commandOption(/^Approve a$/), 0);

    // when: the user finds an approval by letters of its title
    await keys.replaceText('aprvtwo');
    await commandOption(/^Approve by two/).waitFor();
    await keys.press('Enter');

    // then
    await page.getByRole('heading', { level: 2, name: 'Approve by two' }).waitFor();
    await keys.expectFocusKept();

    // when: the user finds the actions on the approval
    await page.getByRole('button', { name: 'Reject', exact: true }).waitFor();
    await searchCommandPalette('rej');
    await commandOption(/^Reject r$/).waitFor();
    await keys.press('Enter');

    // then
    await keys.expectFocus(form('Reject').getByRole('textbox', { name: /^Comment/ }));
    await keys.press('Control+k');
    await keys.expectFocus(commandPalette());
    await keys.press('Escape');
    await keys.expectFocus(form('Reject').getByRole('textbox', { name: /^Comment/ }));

    // when: the user moves with arrow keys, and searches without a result
    await keys.press('Escape', 'Control+k');
    await keys.type('appearance');
    await commandOption(/^Appearance: Dark/).waitFor();
    const firstOptionId = await commandPalette().getAttribute('aria-activedescendant');
    await keys.press('ArrowDown');
    expect(await commandPalette().getAttribute('aria-activedescendant')).not.to.equal(firstOptionId);
    expect(
      await page
        .locator(`[id="${(await commandPalette().getAttribute('aria-activedescendant')) ?? ''}"]`)
        .getAttribute('aria-selected'),
    ).to.equal('true');
    await keys.replaceText('nothing like this');
    await page.getByRole('status').getByText('Nothing found').waitFor();
  });

  it('should open the command palette in the next frame', async () => {
    const isPaletteOpen = await page.evaluate(async () => {
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }),
      );
      await new Promise(requestAnimationFrame);
      const { activeElement } = document;
      return (
        activeElement?.getAttribute('role') === 'combobox' && document.querySelectorAll('[role="option"]').length > 5
      );
    });
    expect(isPaletteOpen).to.equal(true);
  });
});
