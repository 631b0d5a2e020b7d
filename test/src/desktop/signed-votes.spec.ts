import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Approval, Client, SigningKey } from '@countersign/contract';
import { createTestHost, currentTime, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { changeColorScheme, expectAccessible, expectCount } from '../web/web.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';
import { NativeDialogs } from './dialogs.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: signed votes', () => {
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  let desktop: Desktop;
  let dialogs: NativeDialogs;
  let client: Client;
  let admin: Client;
  let person: string;
  let people = 0;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(countersign, 'signed', 'simple');
    admin = await countersign.client('admin', 'root');
  });

  after(async () => {
    await screen?.stop();
    await countersign?.close();
  });

  beforeEach(async () => {
    people += 1;
    person = `ada-${people}`;
    client = await countersign.client('approver', person);
    desktop = await startDesktop({ screen });
    dialogs = await NativeDialogs.interceptDialogs(desktop.app);
    await signIn(desktop, countersign, 'approver', person);
  });

  afterEach(async () => {
    // Each spec has its own approval title in the list.
    const { items } = await admin.listApprovals({});
    for (const { runId } of items) await admin.cancelRun({ runId, body: { reason: 'The spec is over.' } });
    await desktop.close();
    deleteUserData(desktop.userData);
  });

  const listKeys = async (): Promise<readonly SigningKey[]> => (await client.listMySigningKeys()).items;
  const getCurrentApproval = ({ approvalId }: Approval): Promise<Approval> => maker.vera.getApproval({ approvalId });
  const openSigningKeys = async (): Promise<void> => {
    await desktop.page.getByRole('button', { name: new RegExp(person) }).click();
    await desktop.page.getByRole('menuitem', { name: /Signing key/ }).click();
    await desktop.page.getByRole('dialog', { name: 'Signing key' }).waitFor();
  };
  const setUpKey = async (): Promise<SigningKey> => {
    const { page } = desktop;
    await openSigningKeys();
    await page.getByRole('textbox', { name: 'Device name' }).fill('Ada’s laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Set up a signing key' }).click();
    await page.getByText('Votes can be signed on this device').waitFor();
    await page.keyboard.press('Escape');
    await dialogs.takeShownDialogs();
    const [key] = await listKeys();
    if (key === undefined) throw new Error('No signing key was registered.');
    return key;
  };
  const openApproval = async (title: string): Promise<void> => {
    await desktop.page
      .getByRole('row', { name: new RegExp(title) })
      .first()
      .click();
    await desktop.page.getByRole('heading', { level: 2, name: title }).waitFor();
  };
  const approve = async (): Promise<void> => {
    await desktop.page.getByRole('button', { name: 'Approve', exact: true }).click();
    await desktop.page.getByRole('form').getByRole('button', { name: 'Approve', exact: true }).click();
  };

  it('should be possible after the setup of a signing key, with a signature that anyone can verify', async () => {
    // given
    const { page } = desktop;
    const approval = await maker.createApproval('signed');
    await openApproval('Approve the signed release');
    await expectCount(page.getByRole('button', { name: 'Approve', exact: true }), 0);
    await page.getByRole('button', { name: 'Set up a signing key' }).click();
    await page
      .getByRole('dialog', { name: 'Signing key' })
      .getByRole('textbox', { name: 'Device name' })
      .fill('Ada’s laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Set up a signing key' }).click();
    await page.getByText('Votes can be signed on this device').waitFor();
    const [shownDialog] = await dialogs.takeShownDialogs();
    expect(shownDialog).to.include({ message: 'Set up a signing key on this device?', defaultId: 0 });
    expect(shownDialog?.detail).to.contain(person).and.to.contain('Ada’s laptop').and.to.contain(countersign.url);
    const [key] = await listKeys();
    await page.getByText(key?.keyId ?? 'no key', { exact: true }).waitFor();
    await page.keyboard.press('Escape');

    // when
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page
      .getByRole('form')
      .getByRole('textbox', { name: /Comment/ })
      .fill('Looks right.');
    await page.getByRole('form').getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText(/signed with Ada’s laptop/).waitFor();

    // then
    const { status, votes } = await getCurrentApproval(approval);
    const [vote] = votes;
    expect({ status, by: vote?.by, keyId: vote?.keyId }).to.deep.equal({
      status: 'approved',
      by: person,
      keyId: key?.keyId,
    });
    const [header = '', payload = '', signature = ''] = (vote?.signature ?? '').split('.');
    const publicKey = createPublicKey({ key: { ...key?.publicKey }, format: 'jwk' });
    expect(verify(null, Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url'))).to.equal(
      true,
    );
    const { at, ...statement } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    expect(statement).to.deep.equal({
      server: (await client.getSigning()).serverId,
      runId: approval.runId,
      approvalId: approval.approvalId,
      round: 1,
      decision: 'approve',
      commentDigest: `sha256:${createHash('sha256').update('Looks right.').digest('hex')}`,
      subjectDigest: approval.digest,
      keyId: key?.keyId,
    });
    expect(Math.abs(Date.parse(String(at)) - currentTime())).to.be.below(60_000);
    const [confirmDialog] = await dialogs.takeShownDialogs();
    expect(confirmDialog).to.include({ message: 'Sign your approval?', defaultId: 0 });
    expect(confirmDialog?.detail)
      .to.contain('Approve the signed release')
      .and.to.contain('“Looks right.”')
      .and.to.contain('Risk: low')
      .and.to.contain(approval.digest.slice(7, 11));
  });

  it('should not be sent if the person declines, and not be signed if no signature is required', async () => {
    // given
    const { page } = desktop;
    await setUpKey();
    const signedApproval = await maker.createApproval('signed');
    await openApproval('Approve the signed release');

    // when
    await dialogs.respondWith(false);
    await approve();

    // then
    await page.getByText(/was not counted. You did not confirm the action in the system dialog/).waitFor();
    expect((await getCurrentApproval(signedApproval)).votes).to.deep.equal([]);
    expect(await dialogs.takeShownDialogs()).to.have.length(1);

    // when
    await page.getByRole('button', { name: 'Close' }).click();
    const simple = await maker.createApproval('simple');
    await openApproval('Approve the release');
    await page.clock.install();
    await approve();
    await page.clock.fastForward(5_000);
    await page.getByText(/Approving “Approve the release”: counted/).waitFor();

    // then
    expect((await getCurrentApproval(simple)).votes.map(({ signature }) => signature)).to.deep.equal([null]);
    expect(await dialogs.takeShownDialogs()).to.deep.equal([]);
  });

  it('should open the next approval once it is counted, and not if the person declines', async () => {
    // given
    const { page } = desktop;
    await page.evaluate(() => localStorage.setItem('countersign:after-vote', 'next'));
    await setUpKey();
    const [first, second] = [await maker.createApproval('signed'), await maker.createApproval('signed')];
    const shows = ({ approvalId }: Approval) => page.locator(`article[data-approval="${approvalId}"]`).waitFor();
    await openApproval('Approve the signed release');
    await shows(first);

    // when
    await dialogs.respondWith(false);
    await approve();

    // then
    await page.getByText(/was not counted. You did not confirm the action in the system dialog/).waitFor();
    await shows(first);

    // when
    await page.getByRole('button', { name: 'Close' }).click();
    await dialogs.respondWith(true);
    await page.getByRole('form').getByRole('button', { name: 'Approve', exact: true }).click();

    // then
    await shows(second);
    expect((await getCurrentApproval(first)).status).to.equal('approved');
  });

  it('should always be signed if the person enables this, with a prompt before the setting is turned off', async () => {
    // given
    const { page } = desktop;
    const key = await setUpKey();
    await openSigningKeys();
    const toggle = page.getByRole('switch', { name: 'Sign every vote' });
    await toggle.click({ force: true });
    await page.locator('input[role="switch"]:checked').waitFor();
    expect(await dialogs.takeShownDialogs()).to.deep.equal([]);
    await page.keyboard.press('Escape');

    // when
    const simple = await maker.createApproval('simple');
    await openApproval('Approve the release');
    await expectCount(page.getByRole('checkbox', { name: 'Select Approve the release' }), 0);
    await approve();
    await page.getByText(/Approving “Approve the release”: counted/).waitFor();

    // then
    expect((await getCurrentApproval(simple)).votes.map(({ keyId }) => keyId)).to.deep.equal([key.keyId]);
    expect(await dialogs.takeShownDialogs()).to.have.length(1);
    await openSigningKeys();
    await dialogs.respondWith(false);
    await toggle.click({ force: true });
    await page.locator('input[role="switch"]:enabled').waitFor();
    expect((await dialogs.takeShownDialogs()).map(({ message }) => message)).to.deep.equal([
      'Sign only the votes that must be signed?',
    ]);
    expect(await toggle.isChecked()).to.equal(true);
  });

  it('should be refused with a revoked key, and be possible after another key is set up', async () => {
    // given
    const { page } = desktop;
    const key = await setUpKey();
    const approval = await maker.createApproval('signed');
    await openApproval('Approve the signed release');
    await admin.revokeSigningKey({ keyId: key.keyId });

    // when
    await approve();

    // then
    await page.getByText(/was not counted/).waitFor();
    await page.getByText('Your signing key was revoked').waitFor();
    expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
    await page.getByRole('button', { name: 'Close' }).click();

    // when
    await page.getByRole('button', { name: 'Set up a signing key' }).click();
    await page.getByText('You revoked it on another device').waitFor();
    await page.getByRole('button', { name: 'Set up another key' }).click();
    await page.getByText('Votes can be signed on this device').waitFor();
    await page.keyboard.press('Escape');
    await approve();
    await page.getByText(/signed with Ada’s laptop/).waitFor();

    // then
    const { votes } = await getCurrentApproval(approval);
    expect(votes.map(({ keyId }) => keyId)).to.deep.equal([(await listKeys())[0]?.keyId]);
    expect(votes[0]?.keyId).not.to.equal(key.keyId);
  });

  it('should revoke the key of this device only after the person confirms the plan', async () => {
    // given
    const { page } = desktop;
    const key = await setUpKey();
    await openSigningKeys();

    // when
    await dialogs.respondWith(false);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.locator('button:enabled', { hasText: 'Revoke key' }).waitFor();

    // then
    const [planDialog] = await dialogs.takeShownDialogs();
    expect(planDialog).to.include({ message: 'Revoke the key of “Ada’s laptop”?', defaultId: 0 });
    expect(planDialog?.detail)
      .to.contain('No vote that it signs from now on will count.')
      .and.to.contain('This is this device’s key')
      .and.to.contain(key.keyId);
    expect((await listKeys())[0]?.revokedAt).to.equal(null);

    // when
    await dialogs.respondWith(true);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('button', { name: 'Set up a signing key' }).waitFor();

    // then
    expect((await listKeys())[0]?.revokedAt).not.to.equal(null);
  });

  it('should report a key as lost that was stored only in memory, and revoke it when the next key is set up', async () => {
    // given
    const { userData } = desktop;
    await openSigningKeys();
    await desktop.page.getByText('The key is lost when the application closes').waitFor();
    await desktop.page.keyboard.press('Escape');
    const key = await setUpKey();
    await desktop.close();

    // when
    desktop = await startDesktop({ screen, userData });
    dialogs = await NativeDialogs.interceptDialogs(desktop.app);
    const { page } = desktop;
    await page.getByLabel(/^Development token/).fill(await countersign.token('approver', { subject: person }));
    await page.getByRole('button', { name: 'Sign in' }).click();

    // then
    await page.getByText('Your signing key is lost').waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('it was kept in memory only').waitFor();
    await page.getByRole('button', { name: 'Set up another key' }).click();
    await page.getByText('Votes can be signed on this device').waitFor();
    expect((await dialogs.takeShownDialogs())[0]?.detail).to.contain(
      `${key.keyId.slice(0, 12)}…) is lost and will be revoked`,
    );
    const [newKey, lostKey] = await listKeys();
    expect([newKey?.revokedAt, lostKey?.keyId]).to.deep.equal([null, key.keyId]);
    expect(lostKey?.revokedAt).not.to.equal(null);
  });

  it('should be accessible, in light and dark', async () => {
    const { page } = desktop;
    await maker.createApproval('signed');
    await openApproval('Approve the signed release');
    for (const colorScheme of ['light', 'dark'] as const) {
      await changeColorScheme(page, colorScheme);
      await page.getByText('Your vote must be signed').waitFor();
      await expectAccessible(page);
    }
    await setUpKey();
    await openSigningKeys();
    for (const colorScheme of ['light', 'dark'] as const) {
      await changeColorScheme(page, colorScheme);
      await expectAccessible(page);
    }
  });
});
