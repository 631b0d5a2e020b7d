import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { findButton, skipUndoWindow, openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';
import { expectCount } from '../web/web.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: evidence', () => {
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  let desktop: Desktop;
  let directory: string;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(countersign, 'evidence', 'notes');
    desktop = await startDesktop({ screen });
    await signIn(desktop, countersign, 'approver', 'ada');
    // Installed once, so that every test has the same clock in any order.
    await desktop.page.clock.install();
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) deleteUserData(desktop.userData);
    await screen?.stop();
    await countersign?.close();
  });

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-evidence-'));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Makes the file dialog return this path, or be cancelled if it is `undefined`. */
  const stubSaveDialog = (file: string | undefined): Promise<void> =>
    desktop.app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = ((...args: { defaultPath?: string }[]) => {
        (globalThis as { proposed?: string | undefined }).proposed = args.at(-1)?.defaultPath;
        return Promise.resolve(filePath === null ? { canceled: true } : { canceled: false, filePath });
      }) as unknown as typeof dialog.showSaveDialog;
    }, file ?? null);
  const findSaveButton = () => desktop.page.getByRole('button', { name: 'Save… notes.md, version 1' });

  it('should save exactly the approved evidence to the chosen path and count it as opened', async () => {
    // given: a file that is longer than its preview
    const text = `# Notes\n${'A line of notes that nobody reads.\n'.repeat(100_000)}`;
    const approval = await maker.createRiskyApproval(text);
    const { page } = desktop;
    await openApproval(desktop, approval);
    await page.getByText('Not opened yet').waitFor();
    // when: the user cancels the dialog
    await stubSaveDialog(undefined);
    await findSaveButton().click();
    await page.getByText('Save…').waitFor();
    // then
    await expectCount(page.getByText('Not opened yet'), 1);
    // when
    await stubSaveDialog(join(directory, 'notes.md'));
    await findSaveButton().click();
    await page.getByText('Saved; its SHA-256 matches.').waitFor();
    // then
    await page.getByText('Opened', { exact: true }).waitFor();
    expect(readFileSync(join(directory, 'notes.md'), 'utf8')).to.equal(text);
    expect(readdirSync(directory)).to.deep.equal(['notes.md']);
    expect(await desktop.app.evaluate(() => (globalThis as { proposed?: string }).proposed)).to.equal('notes.md');
  });

  it('should explain why the evidence was not saved', async () => {
    const approval = await maker.createRiskyApproval();
    await openApproval(desktop, approval);
    await stubSaveDialog(join(directory, 'not-there', 'notes.md'));
    await findSaveButton().click();
    await desktop.page
      .getByRole('alert')
      .getByText('The file can’t be saved there: ENOENT. Choose another location.')
      .waitFor();
    await desktop.page.getByText('Not opened yet').waitFor();
    expect(existsSync(join(directory, 'not-there'))).to.equal(false);
    await findButton(desktop.page, 'Save… notes.md, version 1').waitFor();
  });

  it('should record the downloaded evidence with its vote when two approvals are approved together', async () => {
    // given
    const [savedApproval, listedApproval] = [
      await maker.createApprovalWithNotes('notes', 'Saved.'),
      await maker.createApprovalWithNotes('notes', 'Only listed.'),
    ];
    const { page } = desktop;
    await openApproval(desktop, savedApproval);
    await stubSaveDialog(join(directory, 'notes.md'));
    await findSaveButton().click();
    await page.getByText('Opened', { exact: true }).waitFor();

    // when
    const boxes = page.getByRole('row', { name: /Approve the notes/ }).getByRole('checkbox');
    await boxes.nth(1).waitFor();
    for (const index of [0, 1]) await boxes.nth(index).click();
    await findButton(page, 'Approve 2').click();
    const dialog = page.getByRole('dialog', { name: 'Approve 2 requests together?' });
    await dialog.getByText('Not opened yet', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Approve 2' }).click();
    await skipUndoWindow(page);
    await page.getByRole('dialog', { name: 'Results' }).getByText('Approved').nth(1).waitFor();
    await page.keyboard.press('Escape');

    // then
    const getRecordedEvidence = async ({ approvalId }: Approval) =>
      (await maker.vera.getApproval({ approvalId })).votes[0]?.shown;
    const [file] = savedApproval.subject.evidence;
    expect(await getRecordedEvidence(savedApproval)).to.deep.equal([
      { name: 'notes.md', sha256: file?.sha256, percent: 0, downloaded: true },
    ]);
    expect(await getRecordedEvidence(listedApproval)).to.deep.equal([]);
  });
});
