import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { expectAccessible } from '../web/web.spec.support.js';
import { CuttingProxy } from './cutting-proxy.spec.support.js';
import { findButton, skipUndoWindow, openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: unconfirmed votes after a crash of the application', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let proxy: CuttingProxy;
  let maker: ApprovalMaker;
  let screen: Screen;
  let userData: string;
  let desktop: Desktop;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple');
  });

  after(async () => {
    await screen?.stop();
    await countersign?.close();
  });

  beforeEach(async () => {
    userData = mkdtempSync(join(tmpdir(), 'countersign-desktop-'));
    proxy = await CuttingProxy.start(countersign.url);
  });

  afterEach(async () => {
    await desktop?.close();
    await proxy?.close();
    deleteUserData(userData);
  });

  const start = async (): Promise<Desktop> => (desktop = await startDesktop({ screen, userData, keychain: true }));
  const getCurrentApproval = ({ approvalId }: Approval): Promise<Approval> => maker.vera.getApproval({ approvalId });
  const pendingVotesBar = () => desktop.page.getByRole('region', { name: 'Your decisions' });
  const pendingVotesFile = (): string => join(userData, 'unsettled-votes');

  /** Approves an approval and kills the application before it receives the response. @returns the approval */
  async function killDuringVote(cut: 'answer' | 'request'): Promise<Approval> {
    const approval = await maker.createApproval('simple');
    await start();
    await signIn(
      desktop,
      { url: proxy.url, token: (role, options) => countersign.token(role, options) },
      'approver',
      'ada',
    );
    await openApproval(desktop, approval);
    await desktop.page.clock.install();
    await findButton(desktop.page, 'Approve').click();
    await desktop.page.keyboard.press('Control+Enter');
    const lost = proxy.loseNextVote(cut);
    await skipUndoWindow(desktop.page);
    await lost;
    const exited = once(desktop.app.process(), 'exit');
    desktop.app.process().kill('SIGKILL');
    await exited;
    proxy.cut = 'pass';
    return approval;
  }

  async function expectCountedOnce(approval: Approval): Promise<void> {
    const { status, votes } = await getCurrentApproval(approval);
    expect(status).to.equal('approved');
    expect(votes).to.have.length(1);
    expect(votes[0]).to.include({ decision: 'approve', by: 'ada', digest: approval.digest });
    const { items } = await (
      await countersign.client('admin', 'root')
    ).listAuditEvents({ runId: approval.runId, actor: 'ada' });
    expect(
      items.filter(({ target }) => target?.id === approval.approvalId).map(({ action, result }) => [action, result]),
    ).to.deep.equal([['approval.vote', 'ok']]);
  }

  for (const { cut, name, before } of [
    { cut: 'answer', name: 'should confirm a vote that the server has recorded, and record it once', before: 1 },
    {
      cut: 'request',
      name: 'should send a vote that never reached the server only on request, and record it once',
      before: 0,
    },
  ] as const) {
    it(name, async () => {
      // given
      const approval = await killDuringVote(cut);
      expect((await getCurrentApproval(approval)).votes).to.have.length(before);
      expect(readFileSync(pendingVotesFile(), 'latin1')).not.to.contain('Approve');
      // when
      await start();
      await pendingVotesBar().getByText('Approving “Approve the release”: no response.').waitFor();
      await expectAccessible(desktop.page);
      expect(proxy.voteCount, 'no vote is sent without a request of the user').to.equal(1);
      await pendingVotesBar().getByRole('button', { name: 'Retry' }).click();
      // then
      await desktop.page.getByText('Approving “Approve the release”: counted.').waitFor();
      expect(proxy.voteCount).to.equal(2);
      await expectCountedOnce(approval);
      expect(existsSync(pendingVotesFile())).to.equal(false);
    });
  }

  it('should be deleted on dismissal, and their idempotency key should be refused for another vote', async () => {
    // given
    const approval = await killDuringVote('request');
    await start();
    await pendingVotesBar().getByText('no response').waitFor();
    // when
    const results = await desktop.page.evaluate(async () => {
      const { listUnconfirmed, vote } = (
        window as unknown as { countersign: Record<'listUnconfirmed' | 'vote', (input?: object) => Promise<unknown>> }
      ).countersign;
      const { votes } = (await listUnconfirmed()) as { votes: Record<string, unknown>[] };
      const { title: _, ...voteFields } = votes[0] ?? {};
      return [
        await vote({ ...voteFields, decision: 'reject', comment: 'Not mine.' }),
        await vote({ ...voteFields, idempotencyKey: 'another-key' }),
      ];
    });
    // then
    expect(results.map((each) => (each as { code: string }).code)).to.deep.equal(['other_vote', 'not_shown']);
    // when
    await pendingVotesBar().getByRole('button', { name: 'Dismiss' }).click();
    await pendingVotesBar().waitFor({ state: 'hidden' });
    await desktop.close();
    // then
    expect(existsSync(pendingVotesFile())).to.equal(false);
    await start();
    await findButton(desktop.page, 'ada · Approver').waitFor();
    expect([
      await pendingVotesBar().isVisible(),
      proxy.voteCount,
      (await getCurrentApproval(approval)).votes,
    ]).to.deep.equal([false, 1, []]);
  });

  it('should be deleted after a sign-out', async () => {
    await killDuringVote('request');
    await start();
    await pendingVotesBar().getByText('no response').waitFor();
    await findButton(desktop.page, 'ada · Approver').click();
    await desktop.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await desktop.page.getByLabel(/^Development token/).waitFor();
    expect(existsSync(pendingVotesFile())).to.equal(false);
  });
});
