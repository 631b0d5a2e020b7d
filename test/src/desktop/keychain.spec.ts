import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { hasKeyring, Keyring } from './dbus/keyring.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';
import { NativeDialogs } from './dialogs.spec.support.js';

(hasElectron() && hasKeyring() ? describe : describe.skip)('desktop: system keychain', () => {
  let countersign: TestHost;
  let screen: Screen;
  let keyring: Keyring;
  let desktop: Desktop;

  before(async () => {
    [countersign, screen, keyring] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS }),
      Screen.start(),
      Keyring.start(),
    ]);
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) deleteUserData(desktop.userData);
    await keyring?.stop();
    await screen?.stop();
    await countersign?.close();
  });

  const start = (userData?: string): Promise<Desktop> =>
    startDesktop({
      screen,
      env: keyring.env,
      args: ['--password-store=gnome-libsecret'],
      ...(userData === undefined ? {} : { userData }),
    });

  it('should restore the token and the signing key after a restart, and store both encrypted', async () => {
    // given
    const maker = await ApprovalMaker.deployTo(countersign, 'signed');
    const approval = await maker.createApproval('signed');
    const ada = await countersign.client('approver', 'ada');
    desktop = await start();
    await NativeDialogs.interceptDialogs(desktop.app);
    await signIn(desktop, countersign, 'approver', 'ada');
    await desktop.page.getByRole('button', { name: /^ada/ }).click();
    await desktop.page.getByRole('menuitem', { name: /Signing key/ }).click();
    await desktop.page.getByRole('dialog').getByRole('button', { name: 'Set up a signing key' }).click();
    await desktop.page.getByText('In this system’s keychain').waitFor();
    const [key] = (await ada.listMySigningKeys()).items;

    // when
    const files = ['signing-keys.json', 'sessions.json'].map((name) =>
      readFileSync(join(desktop.userData, name), 'utf8'),
    );
    const [{ keys }, sessions] = files.map((text) => JSON.parse(text) as unknown) as [
      { readonly keys: readonly { readonly sealed: string }[] },
      Readonly<Record<string, string>>,
    ];
    const sealed = [...keys.map((each) => each.sealed), ...Object.values(sessions)];
    const secrets = await desktop.app.evaluate(
      ({ safeStorage }, sealedTexts) =>
        sealedTexts.map((text) => safeStorage.decryptString(Buffer.from(text, 'base64'))),
      sealed,
    );
    await desktop.close();

    // then: the files contain exactly the secrets, encrypted with a key of the keychain ("v11")
    expect(sealed.map((text) => Buffer.from(text, 'base64').subarray(0, 3).toString())).to.deep.equal(['v11', 'v11']);
    const [{ x, d }, { accessToken }] = secrets.map((text) => JSON.parse(text) as Record<string, string>) as [
      Record<string, string>,
      Record<string, string>,
    ];
    expect(x).to.equal(key?.publicKey.x);
    for (const secret of [d, accessToken].map(String)) {
      expect(secret.length).to.be.above(40);
      for (const encoding of [
        secret,
        Buffer.from(secret).toString('base64'),
        Buffer.from(secret, 'base64url').toString('hex'),
        Buffer.from(secret, 'base64url').toString('base64'),
      ])
        expect(files.join('\n')).not.to.contain(encoding);
    }

    // when
    desktop = await start(desktop.userData);
    await NativeDialogs.interceptDialogs(desktop.app);
    const { page } = desktop;
    await page
      .getByRole('row', { name: /Approve the signed release/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('form').getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText(/signed with/).waitFor();

    // then
    const { status, votes } = await maker.vera.getApproval({ approvalId: approval.approvalId });
    expect([status, votes.map(({ keyId }) => keyId)]).to.deep.equal(['approved', [key?.keyId]]);
  });
});
