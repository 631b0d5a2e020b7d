import type { Absence, SetAbsenceBody } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { expectAccessible, expectCount, hasBrowser, launchBrowser, openWindow } from './web.spec.support.js';

// In Berlin: from the moment at which clocks skip an hour, until the second 02:30 of the night when they are set back.
const FROM = '2099-03-29T01:00:30.500Z';
const UNTIL = '2099-10-25T01:30:15.250Z';
const FIRST_OCCURRENCE = '2099-10-25T00:30:00.000Z';

(hasBrowser() ? describe : describe.skip)('web: out of office in the time zone of Berlin', () => {
  let countersign: TestHost;
  let browser: Browser;
  let page: Page;
  let closeWindow: () => Promise<void>;
  let absence: Absence;
  let savedBodies: SetAbsenceBody[];

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost(), launchBrowser()]);
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  beforeEach(async () => {
    absence = createPlannedAbsence();
    savedBodies = [];
    ({ page, close: closeWindow } = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    }));
    // Simulated, because the server refuses absences that far ahead, and the next clock change depends on today's date.
    await page.route('**/api/me/absence', (route) => {
      const body = route.request().postDataJSON() as SetAbsenceBody | null;
      if (body === null) return route.fulfill({ json: { absence } });
      savedBodies.push(body);
      absence = { ...absence, ...body };
      return route.fulfill({ json: absence });
    });
  });

  afterEach(() => closeWindow?.());

  function createPlannedAbsence(): Absence {
    return {
      subject: 'ada',
      substitute: null,
      from: FROM,
      until: UNTIL,
      setAt: '2026-11-22T10:00:00.000Z',
      setBy: 'ada',
      awaitsSignIn: false,
    };
  }

  async function openDialog(): Promise<Locator> {
    await page.goto(`${countersign.url}/approvals`);
    await page.getByRole('button', { name: /^\w+ · / }).click();
    await page.getByRole('menuitem', { name: 'Out of office' }).click();
    const dialog = page.getByRole('dialog', { name: 'Out of office' });
    await dialog.getByLabel('Away until').waitFor();
    return dialog;
  }

  async function save(dialog: Locator): Promise<void> {
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  it('should send no request if nothing was changed', async () => {
    await save(await openDialog());
    expect(savedBodies).to.deep.equal([]);
  });

  it('should send unchanged start and end times if only the substitute was changed', async () => {
    // when
    const dialog = await openDialog();
    await dialog.getByLabel('Substitute').fill('dora');
    await save(dialog);
    // then
    expect(savedBodies).to.deep.equal([{ from: FROM, until: UNTIL, substitute: 'dora' }]);
  });

  it('should offer both occurrences of a repeated hour by keyboard, with the saved occurrence selected', async () => {
    // given
    const dialog = await openDialog();
    const choice = dialog.getByRole('radiogroup', { name: /^02:30 occurs twice/ });
    const second = choice.getByRole('radio', { name: '02:30 UTC+01:00, after the clocks are set back' });
    const first = choice.getByRole('radio', { name: '02:30 UTC+02:00, before the clocks are set back' });
    expect([await first.isChecked(), await second.isChecked()]).to.deep.equal([false, true]);
    await expectAccessible(page);
    // when
    await second.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    // then
    expect(savedBodies).to.deep.equal([{ from: FROM, until: FIRST_OCCURRENCE }]);
  });

  it('should preselect the first occurrence of a repeated hour, and offer no choice for other times', async () => {
    // given
    const dialog = await openDialog();
    await dialog.getByLabel('Away until').fill('2099-10-26T02:30');
    await expectCount(dialog.getByRole('radio'), 0);
    await dialog.getByLabel('Away from').fill('2098-10-26T02:30');
    // then
    expect(await dialog.getByRole('radio', { name: /UTC\+02:00/ }).isChecked()).to.equal(true);
  });

  it('should refuse a local time that does not exist, and suggest the next valid time', async () => {
    // given
    const dialog = await openDialog();
    const until = dialog.getByLabel('Away until');
    // when
    await until.fill('2099-03-29T02:30');
    // then
    await dialog
      .getByText(/29 Mar 2099,? (at )?02:30 does not exist.* the next one is .*29 Mar 2099,? (at )?03:00 UTC\+02:00\.$/)
      .waitFor();
    expect(await until.getAttribute('aria-invalid')).to.equal('true');
    expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).to.equal(true);
    await expectAccessible(page);
    await until.press('Enter');
    expect(savedBodies).to.deep.equal([]);
    // when
    await until.fill('2099-03-29T03:05');
    await save(dialog);
    // then
    expect(savedBodies).to.deep.equal([{ from: FROM, until: '2099-03-29T01:05:00.000Z' }]);
  });

  it('should show the UTC offset of a local time that occurs twice', async () => {
    // given
    absence = { ...absence, from: '2026-11-22T10:00:00.000Z' };
    // when
    await page.goto(`${countersign.url}/approvals`);
    // then
    const until = page.getByRole('region', { name: 'Out of office' }).locator('time');
    await until.waitFor();
    expect(await until.innerText()).to.match(/25 Oct 2099,? (at )?02:30 UTC\+01:00$/);
    await until.hover();
    await page.getByRole('tooltip', { name: /02:30:15 UTC\+01:00 · 25 Oct 2099,? 01:30:15 UTC$/ }).waitFor();
  });
});
