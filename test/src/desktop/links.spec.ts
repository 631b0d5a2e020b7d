import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import {
  buildCommandLine,
  deleteUserData,
  hasElectron,
  Screen,
  signIn,
  startDesktop,
  type Desktop,
} from './desktop.spec.support.js';
import { expectCount } from '../web/web.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: links and second starts', () => {
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  let userData: string;
  let desktop: Desktop | undefined;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'evidence');
  });

  after(async () => {
    await screen?.stop();
    await countersign?.close();
  });

  beforeEach(() => {
    userData = mkdtempSync(join(tmpdir(), 'countersign-desktop-'));
  });

  afterEach(async () => {
    await desktop?.close();
    desktop = undefined;
    deleteUserData(userData);
  });

  /** Starts the application again, as the operating system does for a link. */
  const startSecondInstance = async (...args: string[]): Promise<number | null> => {
    const line = buildCommandLine(userData, args);
    const second = spawn(line.command, line.args, { env: { ...process.env, ...screen.env }, stdio: 'ignore' });
    const [code] = (await once(second, 'exit')) as [number | null];
    return code;
  };

  it('should open the approval of its start link after the sign-in, without voting on it', async () => {
    // given
    await maker.createApproval('simple');
    const risky = await maker.createRiskyApproval();
    // when
    desktop = await startDesktop({ screen, userData, args: [`countersign://approvals/${risky.approvalId}`] });
    await signIn(desktop, countersign, 'approver', 'ada');
    // then
    await desktop.page.getByRole('heading', { level: 2, name: 'Approve the risky release' }).waitFor();
    expect(await maker.vera.getApproval({ approvalId: risky.approvalId })).to.deep.include({
      status: 'pending',
      votes: [],
    });
  });

  it('should run only once and show the approval that a second start links to', async () => {
    // given
    const approval = await maker.createApproval('simple');
    desktop = await startDesktop({ screen, userData });
    await signIn(desktop, countersign, 'approver', 'ada');
    // when
    expect(await startSecondInstance(`countersign://approvals/${approval.approvalId}`)).to.equal(0);
    // then
    await desktop.page.getByRole('heading', { level: 2, name: 'Approve the release' }).waitFor();
    expect(desktop.app.windows()).to.have.length(1);
  });

  it('should ignore a link with a decision or other additional parts', async () => {
    const approval = await maker.createApproval('simple');
    desktop = await startDesktop({ screen, userData });
    await signIn(desktop, countersign, 'approver', 'ada');
    await desktop.page.getByText('Select an approval').or(desktop.page.getByRole('row').first()).first().waitFor();
    expect(await startSecondInstance(`countersign://approvals/${approval.approvalId}?decision=approve`)).to.equal(0);
    expect(await startSecondInstance(`countersign://approve/${approval.approvalId}`)).to.equal(0);
    await expectCount(desktop.page.getByRole('heading', { level: 2, name: 'Approve the release' }), 0);
    expect(await maker.vera.getApproval({ approvalId: approval.approvalId })).to.deep.include({
      status: 'pending',
      votes: [],
    });
  });
});
