import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { expectAccessible, hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: development users', () => {
  let countersign: TestHost;
  let browser: Browser;
  let approval: Approval;

  before(async () => {
    [countersign, browser] = await Promise.all([
      createTestHost({
        jobTypes: APPROVAL_JOBS,
        configuration: {
          Auth: {
            DevToken: {
              Users: [
                { Subject: 'olga', Name: 'Olga', Role: 'operator' },
                { Subject: 'ada', Name: 'Ada', Role: 'approver', Groups: ['release-managers'] },
                { Subject: 'vera', Role: 'viewer' },
              ],
            },
          },
        },
      }),
      launchBrowser(),
    ]);
    const maker = await ApprovalMaker.deployTo(countersign, 'simple');
    approval = await maker.createApproval('simple');
  });

  after(async () => {
    await browser?.close();
    await countersign.close();
  });

  const open = async (path: string): Promise<Window> => {
    const window = await openWindow(browser, { url: countersign.url });
    await window.page.goto(`${countersign.url}${path}`);
    return window;
  };
  const signInAs = (page: Page, name: RegExp): Promise<void> =>
    page.getByRole('list', { name: 'Development users' }).getByRole('button', { name }).click();

  it('should sign in with one click, as configured', async () => {
    // given
    const window = await open('/');
    const { page } = window;

    // when
    await page.getByRole('heading', { name: 'Sign in to Countersign' }).waitFor();
    await expectAccessible(page);
    await signInAs(page, /^Ada/);

    // then
    await page.getByRole('button', { name: 'Ada · Approver' }).waitFor();
    const { groups } = await page.evaluate(async () => {
      const { token } = JSON.parse(sessionStorage['countersign:dev-token:/']) as { token: string };
      const response = await fetch('/api/me', { headers: { authorization: `Bearer ${token}` } });
      return (await response.json()) as { groups: string[] };
    });
    expect(groups).to.deep.equal(['release-managers']);
    await window.close();
  });

  it('should sign in anyone else, with groups', async () => {
    // given
    const window = await open('/');
    const { page } = window;

    // when
    await page.getByRole('textbox', { name: 'Name' }).fill('zoe');
    await page.getByRole('textbox', { name: 'Groups' }).fill('board, auditors');
    const tokenRequest = page.waitForRequest('**/api/auth/token');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    // then
    expect((await tokenRequest).postDataJSON()).to.deep.equal({
      subject: 'zoe',
      role: 'approver',
      groups: ['board', 'auditors'],
    });
    await page.getByRole('button', { name: 'zoe · Approver' }).waitFor();
    await window.close();
  });

  it('should be switched in the corner, on the same page', async () => {
    // given
    const window = await open(`/runs/${approval.runId}`);
    const { page } = window;
    await signInAs(page, /^Olga/);

    // when
    await page.getByRole('button', { name: 'Olga · Operator' }).click();
    const menu = page.getByRole('group', { name: 'Continue as' });
    await menu.getByText('Ada').waitFor();
    await expectAccessible(page);
    expect(await menu.getByRole('menuitem').allInnerTexts()).to.deep.equal([
      'Ada · Approver, release-managers',
      'vera · Viewer',
    ]);
    await menu.getByRole('menuitem', { name: /Ada/ }).click();

    // then
    await page.getByRole('button', { name: 'Ada · Approver' }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/runs/${approval.runId}`);
    await window.close();
  });

  it('should tell users who may not decide who can, and let them continue as one of those', async () => {
    // given
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signInAs(page, /^Olga/);

    // when
    await page.getByText('Your role can’t decide approvals.').waitFor();
    await page.getByText(/^Any other approver can decide this, except /).waitFor();
    await page.getByRole('button', { name: 'Copy link' }).click();

    // then
    await page.getByText('Link copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(
      `${countersign.url}/approvals/${approval.approvalId}`,
    );
    await expectAccessible(page);

    // when
    await page.getByRole('button', { name: 'Continue as Ada' }).click();

    // then
    await page.getByRole('button', { name: 'Ada · Approver' }).waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await window.close();
  });
});
