import { createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { buildAuthConfiguration, CLIENT_ID, startIssuer, type TestIssuer } from '../web/oidc-issuer.spec.support.js';
import { expectCount, hasBrowser, launchBrowser } from '../web/web.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { findButton, skipUndoWindow, openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, startDesktop, type Desktop } from './desktop.spec.support.js';
import { recordOpenedUrls, waitForOpenedUrl, signInWithBrowser } from './sign-in-oidc.spec.support.js';

(hasElectron() && hasBrowser() ? describe : describe.skip)('desktop: sign-in with the browser', () => {
  /** The same server, for users that the issuer does not know. */
  let approvalHost: TestHost;
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let issuer: TestIssuer;
  let browser: Browser;
  let screen: Screen;
  let desktop: Desktop;
  let expectedLogEntries: string[];

  before(async () => {
    [issuer, browser, screen] = await Promise.all([startIssuer(), launchBrowser(), Screen.start()]);
    approvalHost = await createTestHost({ jobTypes: APPROVAL_JOBS });
    countersign = await createTestHost({
      shareDataWith: approvalHost,
      configuration: { Auth: buildAuthConfiguration(issuer) },
    });
    maker = await ApprovalMaker.deployTo(approvalHost, 'simple');
    await issuer.register(countersign.url, true);
  });

  beforeEach(async () => {
    issuer.accessTokenSeconds = 3_600;
    issuer.roles = ['approver'];
    expectedLogEntries = [];
    desktop = await startDesktop({ screen });
    await recordOpenedUrls(desktop);
    await desktop.page.getByRole('textbox', { name: 'Address' }).fill(countersign.url);
    await desktop.page.getByRole('button', { name: 'Add', exact: true }).click();
    await desktop.page.getByRole('button', { name: 'Sign in with the browser' }).click();
    await desktop.page.getByText('Continue in your browser').waitFor();
  });

  afterEach(async () => {
    await desktop.close(...expectedLogEntries);
    deleteUserData(desktop.userData);
  });

  after(async () => {
    await browser?.close();
    await screen?.stop();
    await countersign?.close();
    await approvalHost?.close();
    await issuer?.close();
  });

  it('should return to a local port, renew expiring tokens and revoke the tokens at sign-out', async () => {
    // given: a lifetime so short that the token soon needs renewal
    issuer.accessTokenSeconds = 2;
    const { page } = desktop;
    // when
    const address = new URL(await waitForOpenedUrl(desktop));
    const redirectUrl = await signInWithBrowser(desktop, browser, 'ada');
    // then
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
    await page.locator('[data-live="live"]').waitFor();
    expect(address.origin).to.equal(issuer.url);
    expect(Object.fromEntries(address.searchParams)).to.include({
      response_type: 'code',
      code_challenge_method: 'S256',
      client_id: CLIENT_ID,
    });
    expect(new URL(address.searchParams.get('redirect_uri') ?? '').hostname).to.equal('127.0.0.1');
    await waitUntil('the token is renewed', () => issuer.grantTypes.includes('refresh_token'));
    // nothing listens on the port after the sign-in
    expect(
      await fetch(redirectUrl).then(
        () => 'answers',
        () => 'nobody',
      ),
    ).to.equal('nobody');
    const exposedState = await page.evaluate(async () =>
      JSON.stringify([
        await (window as unknown as { countersign: { getState(): Promise<unknown> } }).countersign.getState(),
        { ...localStorage },
      ]),
    );
    expect(exposedState).not.to.match(/eyJ|code=|refresh/);
    // when
    await page.getByRole('button', { name: /ada/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // then
    await page.getByRole('button', { name: 'Sign in with the browser' }).waitFor();
    await waitUntil('the refresh token is revoked', () => issuer.revokedTypes.includes('refresh_token'));
  });

  it('should keep the entered text when the issuer refuses to renew the token, and send it after a new sign-in', async () => {
    // given: a token that always needs renewal
    issuer.accessTokenSeconds = 2;
    const approval = await maker.createApproval('simple');
    const { page } = desktop;
    await signInWithBrowser(desktop, browser, 'ada');
    await page.locator('[data-live="live"]').waitFor();
    await page.clock.install();
    await openApproval(desktop, approval);
    await findButton(page, 'Reject').click();
    const comment = page.getByRole('form', { name: 'Reject' }).getByLabel('Comment');
    await comment.fill('Not this week.');
    // when
    issuer.refusesRenewals = true;
    expectedLogEntries = ['session.not_renewed'];
    const sessionEndedDialog = page.getByRole('dialog', { name: 'Your session has ended' });
    while (!(await sessionEndedDialog.isVisible())) await maker.createApproval('simple');
    issuer.refusesRenewals = false;
    issuer.accessTokenSeconds = 3_600;
    await sessionEndedDialog.getByRole('button', { name: 'Sign in with the browser' }).click();
    await signInWithBrowser(desktop, browser, 'ada');
    // then
    await sessionEndedDialog.waitFor({ state: 'detached' });
    await page.locator('[data-live="live"]').waitFor();
    expect(await comment.inputValue()).to.equal('Not this week.');
    await comment.press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('Rejected by ada.').first().waitFor();
    expect(
      (await maker.vera.getApproval({ approvalId: approval.approvalId })).votes.map(
        ({ comment: voteComment }) => voteComment,
      ),
    ).to.deep.equal(['Not this week.']);
  });

  it('should ignore requests without a code, and end without a session on a forged code', async () => {
    const redirect = new URL(new URL(await waitForOpenedUrl(desktop)).searchParams.get('redirect_uri') ?? '');
    const requestStatus = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
      (await fetch(`${redirect.origin}${path}`, { headers })).status;
    expect(await requestStatus('/')).to.equal(404);
    expect(await requestStatus('/callback')).to.equal(404);
    // the code of another user's sign-in ends this sign-in without signing anyone in
    expect(await requestStatus('/callback?code=stolen&state=forged')).to.equal(200);
    await desktop.page.getByRole('alert').getByText('Sign-in failed').waitFor();
    await expectCount(desktop.page.getByRole('heading', { name: 'Approvals' }), 0);
    expectedLogEntries = ['sign_in.failed'];
  });
});
