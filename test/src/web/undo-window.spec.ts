import { type Approval, buildVoteArguments } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker, WRITER_AGENT } from './approvals.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window, holdClock } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: protection against unintended and lost votes', () => {
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;

  before(async () => {
    [countersign, browser] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [new ScriptedAgents(WRITER_AGENT).plugin()] }),
      launchBrowser(),
    ]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'agent', 'evidence');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  async function open(path: string): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    await window.page.clock.install();
    await window.page.goto(`${countersign.url}${path}`);
    return window;
  }

  /**
   * Skips the undo window, and resumes the clock, because a page that is still loading needs its timers to show data.
   */
  const skipUndoWindow = async (page: Page): Promise<void> => {
    await page.clock.fastForward(5_000);
    await page.clock.resume();
  };
  const getCurrentApproval = ({ approvalId }: Approval): Promise<Approval> => maker.vera.getApproval({ approvalId });
  const pendingVotesBar = (page: Page) => page.getByRole('region', { name: 'Your decisions' });

  /** Lets ada approve an approval and stops the clock, so that the vote stays pending. */
  async function startApproving(): Promise<{ approval: Approval; window: Window; page: Page }> {
    const approval = await maker.createApproval('simple');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await holdClock(page);
    await page.keyboard.press('Control+Enter');
    await pendingVotesBar(page).getByText('Approving “Approve the release”: sending in').waitFor();
    return { approval, window, page };
  }

  for (const [how, leave] of [
    ['a link in the navigation', (page: Page) => page.getByRole('link', { name: 'Runs', exact: true }).click()],
    ['keyboard shortcuts', (page: Page) => page.keyboard.type('gr')],
    [
      'the link from the approval to its run',
      (page: Page) => page.locator('.cs-decision').getByRole('link', { name: 'simple' }).click(),
    ],
  ] as const) {
    it(`should send a pending vote after the user leaves the page by ${how}, and confirm the vote on the new page`, async () => {
      // given
      const { approval, window, page } = await startApproving();

      // when
      await leave(page);
      await page.waitForURL((url) => url.pathname.startsWith('/runs'));

      // then
      await pendingVotesBar(page).getByRole('button', { name: 'Undo' }).waitFor();
      expect(
        await page.evaluate(
          () => !(globalThis as unknown as EventTarget).dispatchEvent(new Event('beforeunload', { cancelable: true })),
        ),
        'closing the window asks for confirmation',
      ).to.equal(true);
      await skipUndoWindow(page);
      await page.getByText('Approving “Approve the release”: counted.').waitFor();
      expect(await getCurrentApproval(approval)).to.include({ status: 'approved', resolvedBy: 'ada' });
      await window.close();
    });
  }

  it('should undo a vote on another page, and restore its comment', async () => {
    const approval = await maker.createApproval('simple');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.keyboard.type('Not this week.');
    await holdClock(page);
    await page.keyboard.press('Control+Enter');
    await pendingVotesBar(page).getByText('Rejecting').waitFor();
    await page.keyboard.type('gr');
    await page.waitForURL((url) => url.pathname === '/runs');
    await page.keyboard.press('u');
    const comment = page.getByRole('form', { name: 'Reject' }).getByRole('textbox');
    await comment.waitFor();
    expect(await comment.inputValue()).to.equal('Not this week.');

    // when
    await page.keyboard.press('Enter');
    await skipUndoWindow(page);

    // then
    expect(await pendingVotesBar(page).getByRole('button').count()).to.equal(0);
    expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
    await window.close();
  });

  for (const [how, signOut] of [
    [
      'the menu',
      async (page: Page) => {
        await page.getByRole('button', { name: 'ada · Approver' }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
      },
    ],
    [
      'the command palette',
      async (page: Page) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox').fill('sign out');
        await page.getByRole('option', { name: 'Sign out' }).click();
      },
    ],
  ] as const) {
    it(`should ask before signing out by ${how} with a pending vote, and never send the vote in another session`, async () => {
      // given
      const { approval, window, page } = await startApproving();

      // when, then
      await signOut(page);
      const sendingDialog = page.getByRole('dialog', { name: 'Decisions are being sent' });
      await sendingDialog.getByText('One decision has not been sent yet.').waitFor();
      await sendingDialog.getByRole('button', { name: 'Stay' }).click();
      await pendingVotesBar(page).getByRole('button', { name: 'Undo' }).waitFor();

      // when
      await signOut(page);
      await sendingDialog.getByRole('button', { name: 'Discard and leave' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('bea');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'bea · Approver' }).waitFor();
      await skipUndoWindow(page);

      // then
      await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
      expect(await pendingVotesBar(page).count()).to.equal(0);
      expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
      await window.close();
    });
  }

  it('should use text typed after a vote key as the comment', async () => {
    const approval = await maker.createApproval('simple');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await page.keyboard.press('a');
    await page.keyboard.type('Read it all.');
    expect(await page.getByRole('form', { name: 'Approve' }).getByRole('textbox').inputValue()).to.equal(
      'Read it all.',
    );
    await skipUndoWindow(page);
    expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
    await page.keyboard.press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('Approved by ada.').first().waitFor();
    expect((await getCurrentApproval(approval)).votes[0]).to.include({
      comment: 'Read it all.',
      digest: approval.digest,
    });
    await window.close();
  });

  it('should not vote on a double click in a wide or narrow window', async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 800 },
    ]) {
      const approval = await maker.createApproval('simple');
      const window = await open(`/approvals/${approval.approvalId}`);
      const { page } = window;
      await page.setViewportSize(viewport);
      for (const name of ['Approve', 'Reject']) {
        const button = page.locator('.cs-decision-actions').getByRole('button', { name, exact: true });
        const { x, y, width, height } = (await button.boundingBox()) ?? expect.fail('The button is not visible.');
        await page.mouse.dblclick(x + width / 2, y + height / 2, { delay: 20 });
        await page.getByRole('form', { name }).waitFor();
        expect(await pendingVotesBar(page).getByRole('button').count(), `${name} at ${viewport.width}`).to.equal(0);
        await page.keyboard.press('Escape');
        await page.getByRole('form', { name }).waitFor({ state: 'detached' });
      }
      await skipUndoWindow(page);
      expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
      await window.close();
    }
  });

  it('should select each approval that the user moved to, even if keys follow each other quickly', async () => {
    // given
    const window = await open('/approvals');
    const { page } = window;
    for (let count = 0; count < 5; count += 1) await maker.createApproval('simple');
    await page
      .getByRole('row', { name: /Approve the release/ })
      .nth(4)
      .waitFor();

    // when
    for (let count = 0; count < 5; count += 1) {
      await page.keyboard.press('j');
      await page.keyboard.press('x');
    }

    // then
    await page.getByText('5 approvals selected').waitFor();

    // when: Enter opens an approval without deciding it
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await skipUndoWindow(page);
    expect(await pendingVotesBar(page).getByRole('button').count()).to.equal(0);
    await window.close();
  });

  it('should open the first approval without a pending vote if the user presses the key of a section', async () => {
    // given: a pending vote on the first approval
    for (let count = 0; count < 2; count += 1) await maker.createApproval('simple');
    const { page, close } = await open('/approvals');
    await page
      .getByRole('row', { name: /Approve the release/ })
      .nth(1)
      .waitFor();
    await page.keyboard.press('1');
    const firstApprovalId = await page.locator('article[data-approval]').getAttribute('data-approval');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await holdClock(page);
    await page.keyboard.press('Control+Enter');
    await pendingVotesBar(page).getByText('Approving').waitFor();

    // when
    await page.keyboard.press('1');

    // then
    await page.locator(`article[data-approval]:not([data-approval="${firstApprovalId}"])`).waitFor();
    await close();
  });

  it('should explain why an approval cannot be selected', async () => {
    const approval = await maker.createApproval('agent');
    const { page, close } = await open(`/approvals/${approval.approvalId}`);
    await page.locator('[role="row"][aria-current="true"]').waitFor();
    await page.keyboard.press('x');
    await page.getByText('Only low-risk requests can be approved together.').waitFor();
    await close();
    // Decided here, because the most urgent approval would be the first one in the lists of the next tests.
    const bea = await countersign.client('approver', 'bea');
    await bea.decideApproval(buildVoteArguments(approval, { decision: 'reject', comment: 'Not needed.' }));
  });

  /** Opens an approval that the list does not contain, and delays the response that contains it. */
  async function openWithDelayedResponse({
    approvalId,
  }: Approval): Promise<Window & { releaseResponse(): Promise<void> }> {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const window = await open('/runs');
    const { page } = window;
    await page.route(/\/api\/approvals\?/, (route) => route.fulfill({ json: { items: [], nextCursor: null } }));
    await page.route(`**/api/approvals/${approvalId}`, async (route) => {
      await released;
      await route.continue();
    });
    await page.evaluate((path) => {
      history.pushState({ usr: null, key: 'delayed', idx: 1 }, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/approvals/${approvalId}`);
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    return {
      ...window,
      releaseResponse: async () => {
        release();
        await page.getByRole('heading', { level: 2, name: 'Approve the release' }).waitFor();
      },
    };
  }
  const keyPressNotice = (page: Page) =>
    page.getByRole('status').filter({ hasText: 'Your key press will take effect when it is shown.' });

  it('should apply a key to an approval that is still loading, and show that the key is pending', async () => {
    const { page, releaseResponse, close } = await openWithDelayedResponse(await maker.createApproval('simple'));
    await page.keyboard.press('a');
    await keyPressNotice(page).waitFor();
    await releaseResponse();
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await keyPressNotice(page).waitFor({ state: 'detached' });
    await close();
  });

  it('should focus the approval after Enter as soon as it has loaded', async () => {
    const { page, releaseResponse, close } = await openWithDelayedResponse(await maker.createApproval('simple'));
    await page.keyboard.press('Enter');
    await keyPressNotice(page).waitFor();
    await releaseResponse();
    await page.locator('h2:focus', { hasText: 'Approve the release' }).waitFor();
    await close();
  });

  it('should report that a pending key is not possible for the loaded approval', async () => {
    // given: an approval that was already decided
    const approval = await maker.createApproval('simple');
    const bea = await countersign.client('approver', 'bea');
    await bea.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', expectedDigest: approval.digest },
    });
    const { page, releaseResponse, close } = await openWithDelayedResponse(approval);
    // when
    await page.keyboard.press('a');
    await keyPressNotice(page).waitFor();
    await releaseResponse();
    // then
    await page.getByText('Key press ignored: not possible for this approval.').waitFor();
    expect(await page.getByRole('form').count()).to.equal(0);
    await close();
  });

  it('should report that a pending key was ignored if the user navigates away before the approval has loaded', async () => {
    const approval = await maker.createApproval('simple');
    const { page, close } = await openWithDelayedResponse(approval);
    await page.keyboard.press('a');
    await keyPressNotice(page).waitFor();
    await page.keyboard.type('gr');
    await page.getByText('Key press ignored: you moved on before it was shown.').waitFor();
    expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
    await close();
  });

  it('should show the result of the user’s own vote instead of a change warning', async () => {
    // given
    const approval = await maker.createApproval('simple');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.locator('[data-live="live"]').waitFor();

    // when
    await page.getByRole('button', { name: 'Request changes', exact: true }).click();
    await page.keyboard.type('Name the printer.');
    await page.keyboard.press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('ada asked for changes.').first().waitFor();
    await maker.completeDraft();

    // then
    await page.getByText('ada asked for changes, and the work was done again.').waitFor();
    await page.getByRole('button', { name: 'Show round 2' }).waitFor();
    expect(await page.getByText('This has changed since you opened it').count()).to.equal(0);
    await window.close();
  });

  it('should show who changed the arguments of a call instead of a change warning', async () => {
    // given
    const approval = await maker.createApproval('agent');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.locator('[data-live="live"]').waitFor();
    const ada = await countersign.client('approver', 'ada');

    // when
    await ada.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'approve', expectedDigest: approval.digest, editedArguments: { text: 'goodbye' } },
    });

    // then
    await page.getByText('ada changed the arguments of the call, so a new round has started.').waitFor();
    await page.getByText('Withdrawn: this round has been superseded.').first().waitFor();
    expect(await page.getByText('This has changed since you opened it').count()).to.equal(0);
    await window.close();
  });

  it('should show that the user’s edited arguments need approval, and not that the call is approved', async () => {
    // given
    const approval = await maker.createApproval('agent');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.locator('[data-live="live"]').waitFor();

    // when
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /Edit/ }).click();
    await page.getByRole('textbox', { name: 'Text of the note' }).fill('goodbye');
    await holdClock(page);
    await page.getByRole('button', { name: 'Propose these arguments' }).click();
    await page.getByRole('button', { name: 'Yes, propose them' }).click();
    await pendingVotesBar(page).getByText('Changing the arguments of “Work: note”: sending in').waitFor();
    await skipUndoWindow(page);

    // then
    await page
      .getByText('The arguments of “Work: note” were changed; your proposal is now waiting for approval.')
      .waitFor();
    await page.getByText('ada changed the arguments of the call, so a new round has started.').waitFor();
    await window.close();
  });

  it('should send votes on several approvals after browser back, and show the result of each', async () => {
    // given
    const window = await open('/runs');
    const { page } = window;
    for (let count = 0; count < 2; count += 1) await maker.createApproval('simple');
    await page.getByRole('link', { name: 'Approvals', exact: true }).click();
    // Selectable rows: decided approvals have rows with the same name, and are loaded separately.
    await page
      .getByRole('grid', { name: 'Approval requests' })
      .getByRole('row', { name: /Approve the release/ })
      .getByRole('checkbox')
      .nth(1)
      .waitFor();
    const chosenPaths: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      await page.keyboard.press('j');
      await page.waitForURL((url) => url.pathname.startsWith('/approvals/') && !chosenPaths.includes(url.pathname));
      chosenPaths.push(new URL(page.url()).pathname);
      await page.keyboard.press('x');
    }
    await page.getByRole('button', { name: 'Approve 2', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve 2 requests together?' });
    await dialog.waitFor();
    await holdClock(page);
    await dialog.getByRole('button', { name: 'Approve 2', exact: true }).click();
    await dialog.getByText(/^Sending in \d s$/).waitFor();
    expect(
      await page.evaluate(
        () => !(globalThis as unknown as EventTarget).dispatchEvent(new Event('beforeunload', { cancelable: true })),
      ),
      'closing the window asks for confirmation',
    ).to.equal(true);

    // when
    await page.goBack();
    await page.waitForURL((url) => url.pathname === '/runs');
    await dialog.getByText(/^Sending in \d s$/).waitFor();
    await skipUndoWindow(page);

    // then
    const results = page.getByRole('dialog', { name: 'Results' });
    await results.getByText('Approved').nth(1).waitFor();
    for (const path of chosenPaths)
      expect(await maker.vera.getApproval({ approvalId: path.split('/').at(-1) ?? '' })).to.include({
        status: 'approved',
        resolvedBy: 'ada',
      });
    await results.getByRole('button', { name: 'Done' }).click();
    await results.waitFor({ state: 'detached' });
    await window.close();
  });

  it('should send exactly the comment in the confirmation, and confirm again if the comment changed', async () => {
    // given
    const approval = await maker.createRiskyApproval();
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.getByRole('button', { name: /^Open notes\.md/ }).waitFor();
    await page.keyboard.press('e');
    await page.getByText('Opened', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    const comment = page.getByRole('form', { name: 'Approve' }).getByRole('textbox');
    await comment.waitFor();
    await page.keyboard.type('Read.');
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: /approve this request\?/ });
    await dialog.getByRole('region', { name: 'Your comment' }).getByText('Read.', { exact: true }).waitFor();

    // when: a script changes the comment in the form below the dialog
    await comment.fill('Read, all of it.');

    // then
    await dialog.waitFor({ state: 'detached' });
    await comment.press('Control+Enter');
    await dialog.getByText('Read, all of it.', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Yes, approve' }).click();
    await skipUndoWindow(page);
    await page.getByText('Approved by ada.').first().waitFor();
    expect((await getCurrentApproval(approval)).votes.map((vote) => vote.comment)).to.deep.equal(['Read, all of it.']);
    await window.close();
  });

  it('should keep a comment if another user voted first, and offer it as a draft for the next round', async () => {
    // given
    const approval = await maker.createApproval('simple');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.locator('[data-live="live"]').waitFor();
    await page.getByRole('button', { name: 'Request changes', exact: true }).click();
    await page.keyboard.type('Name the printer.');

    // when
    const bea = await countersign.client('approver', 'bea');
    await bea.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'request_changes', comment: 'I was faster.', expectedDigest: approval.digest },
    });

    // then
    const draft = page.getByRole('textbox', { name: 'Your draft' });
    await draft.waitFor();
    expect(await draft.inputValue()).to.equal('Name the printer.');
    await page.getByRole('button', { name: 'Copy draft' }).waitFor();

    // when
    await maker.completeDraft();
    await page.getByText('bea asked for changes, and the work was done again.').waitFor();
    await page.getByRole('button', { name: 'Show round 2' }).click();
    await page.getByRole('button', { name: 'Use for this round' }).click();
    expect(await page.getByRole('form', { name: 'Request changes' }).getByRole('textbox').inputValue()).to.equal(
      'Name the printer.',
    );
    await window.close();
  });
});
