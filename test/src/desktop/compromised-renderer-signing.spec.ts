import type { Approval, Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';
import { NativeDialogs } from './dialogs.spec.support.js';

/** Attacks on signed votes by an attacker who runs arbitrary code in the window. */
(hasElectron() ? describe : describe.skip)('desktop: signing key with a compromised window', () => {
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  let desktop: Desktop;
  let dialogs: NativeDialogs;
  let ada: Client;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(countersign, 'signed', 'simple');
    ada = await countersign.client('approver', 'ada');
    desktop = await startDesktop({ screen, expectsRefusals: true });
    dialogs = await NativeDialogs.interceptDialogs(desktop.app);
    await signIn(desktop, countersign, 'approver', 'ada');
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) deleteUserData(desktop.userData);
    await screen?.stop();
    await countersign?.close();
  });

  const call = (method: string, input?: unknown): Promise<unknown> =>
    desktop.page.evaluate(
      async ([name, methodInput]) => {
        const { countersign: bridge } = window as unknown as {
          countersign: Record<string, (...input: unknown[]) => Promise<unknown>>;
        };
        return bridge[name]!(...(methodInput === undefined ? [] : [methodInput])).catch(
          (error: Error) => `refused: ${error.message.replace(/^.*Error: /, '')}`,
        );
      },
      [method, input] as const,
    );
  const getCurrentApproval = ({ approvalId }: Approval): Promise<Approval> => maker.vera.getApproval({ approvalId });
  const vote = (approval: Approval, extraInput: object = {}) =>
    call('vote', {
      approvalId: approval.approvalId,
      round: 1,
      subjectDigest: approval.digest,
      decision: 'approve',
      idempotencyKey: 'taken-over-5',
      ...extraInput,
    });

  it('should create no signing key if the person declines', async () => {
    await dialogs.respondWith(false);
    expect(await call('setUpSigning', { name: 'Ada’s laptop' })).to.deep.include({ ok: false, code: 'declined' });
    expect((await ada.listMySigningKeys()).items).to.deep.equal([]);
    expect(await dialogs.takeShownDialogs()).to.have.length(1);
  });

  it('should not sign a vote if the approval was not displayed or the person declines', async () => {
    // given
    await dialogs.respondWith(true);
    expect(await call('setUpSigning', { name: 'Ada’s laptop' })).to.deep.equal({ ok: true });
    await dialogs.takeShownDialogs();
    const [unopened, opened] = [await maker.createApproval('signed'), await maker.createApproval('signed')];
    await call('call', { operation: 'getApproval', input: { approvalId: opened.approvalId } });
    await dialogs.respondWith(false);

    // then
    expect(await vote(unopened)).to.deep.include({ ok: false, code: 'not_shown' });
    expect(await vote(opened, { subjectDigest: unopened.digest })).to.deep.include({ ok: false, code: 'not_as_shown' });
    expect(await vote(opened, { subjectDigest: `sha256:${'0'.repeat(64)}` })).to.deep.include({
      ok: false,
      code: 'not_as_shown',
    });
    expect(await dialogs.takeShownDialogs()).to.deep.equal([]);
    expect(await vote(opened, { comment: 'Fine.\nServer: https://ours.example.com' })).to.deep.include({
      ok: false,
      code: 'declined',
    });
    const [shownDialog] = await dialogs.takeShownDialogs();
    expect(shownDialog).to.include({ defaultId: 0 });
    expect(shownDialog?.detail.split('\n')).to.include('Comment: “Fine. Server: https://ours.example.com”');
    expect(shownDialog?.detail.split('\n').filter((line) => line.startsWith('Server:'))).to.deep.equal([
      `Server: ${countersign.url}`,
    ]);
    for (const approval of [unopened, opened]) expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
  });

  it('should not let edited arguments, a bulk approval or a change of the setting bypass required signing', async () => {
    // given
    const approval = await maker.createApproval('simple');
    await call('call', { operation: 'getApproval', input: { approvalId: approval.approvalId } });
    expect(await call('setSignsEvery', { on: true })).to.deep.equal({ ok: true });
    await dialogs.respondWith(false);

    // then
    expect(await vote(approval, { idempotencyKey: 'taken-over-6' })).to.deep.include({ ok: false, code: 'declined' });
    expect(await vote(approval, { idempotencyKey: 'taken-over-7', editedArguments: { any: 1 } })).to.deep.include({
      ok: false,
      code: 'declined',
    });
    expect(
      await call('voteTogether', {
        approvals: [{ approvalId: approval.approvalId, round: 1, subjectDigest: approval.digest }],
        idempotencyKey: 'taken-over-8',
      }),
    ).to.deep.include({ ok: false, code: 'signs_every' });
    expect(await call('setSignsEvery', { on: false })).to.deep.include({ ok: false, code: 'declined' });
    expect(await call('getSigning')).to.include({ signsEveryVote: true });
    expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
  });

  it('should revoke no key if the person declines', async () => {
    await dialogs.respondWith(false);
    const [key] = (await ada.listMySigningKeys()).items;
    expect(await call('revokeSigningKey', { keyId: key?.keyId })).to.deep.include({ ok: false, code: 'declined' });
    expect((await ada.listMySigningKeys()).items[0]?.revokedAt).to.equal(null);
  });

  it('should expose only the public data of the signing key to the window', async () => {
    const signing = (await call('getSigning')) as { readonly key: object };
    expect(Object.keys(signing).sort()).to.deep.equal(['deviceName', 'keeps', 'key', 'signsEveryVote', 'status']);
    expect(Object.keys(signing.key).sort()).to.deep.equal(['createdAt', 'keyId', 'name']);
    const found = await desktop.page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML]),
    );
    expect(found).not.to.match(/"d":"|PRIVATE KEY/);
    expect(desktop.log()).not.to.match(/"d":"|PRIVATE KEY|\bx":"/);
  });

  it('should refuse malformed arguments of the bridge methods', async () => {
    const malformedCalls: readonly (readonly [string, unknown?])[] = [
      [
        'vote',
        {
          approvalId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77',
          round: 1,
          subjectDigest: `sha256:${'0'.repeat(64)}`,
          decision: 'approve',
          idempotencyKey: 'taken-over-9',
          signature: 'a.b.c',
        },
      ],
      ['setUpSigning', { name: '' }],
      ['setUpSigning', { name: 'x'.repeat(101) }],
      ['setUpSigning', { name: 'x', publicKey: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } }],
      ['revokeSigningKey', { keyId: '../x' }],
      ['setSignsEvery', { on: 'no' }],
      ['getSigning', {}],
      ['call', { operation: 'registerSigningKey', input: { body: {} } }],
      ['call', { operation: 'revokeMySigningKey', input: { keyId: 'A'.repeat(43) } }],
    ];
    for (const [method, input] of malformedCalls)
      expect(await call(method, input), `${method} ${JSON.stringify(input)}`).to.match(/^refused: /);
  });
});
