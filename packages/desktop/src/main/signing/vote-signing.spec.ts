import { isoTimeIn, currentTime } from '@countersign/model/testing';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { ConnectionError, type Approval } from '@countersign/contract';
import { expect } from 'chai';
import type { Vote } from '../../common/methods.js';
import type { ConfirmationPrompt } from './confirm.js';
import { DeviceSigning } from './device-signing.js';
import { DeviceKeyStore } from './device-key-store.js';
import { SigningPair } from './signing-pair.js';
import { ACCOUNT, createKeychain, SERVER_ID, createTemporaryFile } from './signing.spec.support.js';
import { VoteSigning } from './vote-signing.js';

const HOUR = 3_600_000;
const DIGEST = `sha256:${'3f'.repeat(32)}`;
const APPROVAL = {
  approvalId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77',
  runId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e78',
  workflowId: 'release',
  title: 'Ship it',
  round: 2,
  signatureRequired: true,
  riskLevel: 'high',
  riskFactors: [{ code: 'large', description: 'Changes a lot.', weight: 1 }],
  quorum: { required: 2, approvals: 0 },
  subject: { kind: 'user_task', inputs: { version: '1.4.0' }, evidence: [] },
  digest: DIGEST,
} as unknown as Approval;
const VOTE: Vote = {
  approvalId: APPROVAL.approvalId,
  round: 2,
  subjectDigest: DIGEST,
  decision: 'approve',
  comment: 'Gut, “ja”.',
  idempotencyKey: 'key-of-1',
};

describe('VoteSigning', () => {
  let files: ReturnType<typeof createTemporaryFile>;
  let store: DeviceKeyStore;
  let pair: SigningPair;
  let prompts: ConfirmationPrompt[];
  let isConfirmed: boolean;
  let serverId: string;
  let isServerReachable: boolean;
  let device: DeviceSigning;

  beforeEach(() => {
    files = createTemporaryFile();
    store = new DeviceKeyStore(files.file, createKeychain());
    pair = SigningPair.generate();
    store.put(ACCOUNT, pair, {
      server: SERVER_ID,
      name: 'Laptop',
      createdAt: '2026-11-22T02:00:00.000Z',
      registered: true,
      signsEvery: false,
    });
    [prompts, isConfirmed, serverId, isServerReachable] = [[], true, SERVER_ID, true];
  });

  afterEach(() => files.remove());

  const createVoteSigning = (): VoteSigning => {
    const rejectRequest = (): Promise<never> => Promise.reject(new Error('This request must not be sent.'));
    // The clock of the server is an hour behind the local clock.
    const getSigning = () =>
      isServerReachable
        ? Promise.resolve({
            serverId,
            now: isoTimeIn(-HOUR),
            windowSeconds: 600,
            signIn: { maxAgeSeconds: 600, acrValues: [] },
          })
        : Promise.reject(new ConnectionError(undefined));
    device = new DeviceSigning({
      account: ACCOUNT,
      store,
      deviceName: 'thinkpad',
      server: { name: 'Work', url: 'https://countersign.example.com' },
      signInAgain: rejectRequest,
      onState: () => undefined,
      log: { info: () => undefined, warn: () => undefined, failure: () => undefined },
      confirm: (question) => Promise.resolve(void prompts.push(question)).then(() => isConfirmed),
      client: {
        getSigning,
        listMySigningKeys: rejectRequest,
        registerSigningKey: rejectRequest,
        countersignMySigningKey: rejectRequest,
        revokeMySigningKey: rejectRequest,
      },
    });
    return new VoteSigning(device, { getSigning });
  };
  const verifyStatement = (signed: unknown): Record<string, unknown> => {
    const [header = '', payload = '', signature = ''] = (signed as { signature: string }).signature.split('.');
    expect(
      verify(
        null,
        Buffer.from(`${header}.${payload}`),
        createPublicKey({ key: { ...pair.publicKey }, format: 'jwk' }),
        Buffer.from(signature, 'base64url'),
      ),
    ).to.equal(true);
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  };

  it('should sign the confirmed vote with the server time', async () => {
    const { at, ...statement } = verifyStatement(await createVoteSigning().sign(APPROVAL, VOTE));
    expect(statement).to.deep.equal({
      server: SERVER_ID,
      runId: APPROVAL.runId,
      approvalId: APPROVAL.approvalId,
      round: 2,
      decision: 'approve',
      subjectDigest: DIGEST,
      keyId: pair.keyId,
      commentDigest: `sha256:${createHash('sha256').update('Gut, “ja”.', 'utf8').digest('hex')}`,
    });
    expect(Math.abs(Date.parse(String(at)) - (currentTime() - HOUR))).to.be.below(60_000);
    const { comment: _, ...voteWithoutComment } = VOTE;
    expect(verifyStatement(await createVoteSigning().sign(APPROVAL, voteWithoutComment))['commentDigest']).to.equal(
      null,
    );
  });

  it('should show the subject, risk, effect, server, digest and clock offset before it signs', async () => {
    await createVoteSigning().sign(APPROVAL, VOTE);
    expect(prompts).to.have.length(1);
    for (const shown of [
      'Ship it',
      'Continue the release run',
      'once you and 1 more approve',
      'Approve, round 2',
      'Gut, “ja”.',
      'high (Changes a lot)',
      'version: "1.4.0"',
      'Work, https://countersign.example.com',
      '3f3f 3f3f',
      pair.keyId.slice(0, 12),
      '60 minutes ahead',
    ]) {
      expect(prompts[0]?.detail).to.contain(shown);
    }
  });

  it('should not sign a vote if the person declines', async () => {
    isConfirmed = false;
    const voteSigning = createVoteSigning();
    expect(await voteSigning.sign(APPROVAL, VOTE)).to.include({ code: 'declined' });
    isConfirmed = true;
    expect(await voteSigning.sign(APPROVAL, VOTE)).to.have.property('signature');
  });

  it('should sign only votes that require a signature, unless the person has chosen to sign every vote', async () => {
    const unsignedApproval = { ...APPROVAL, signatureRequired: false };
    expect(await createVoteSigning().sign(unsignedApproval, VOTE)).to.equal(undefined);
    expect(prompts).to.deep.equal([]);
    store.update(ACCOUNT, { signsEvery: true });
    expect(await createVoteSigning().sign(unsignedApproval, VOTE)).to.have.property('signature');
  });

  it('should send edited arguments unsigned, and ask for confirmation if every vote is signed', async () => {
    const edit: Vote = { ...VOTE, editedArguments: { to: 'bea@example.com' } };
    expect(await createVoteSigning().sign(APPROVAL, edit)).to.equal(undefined);
    expect(prompts).to.deep.equal([]);
    store.update(ACCOUNT, { signsEvery: true });
    expect(await createVoteSigning().sign(APPROVAL, edit)).to.equal(undefined);
    expect(prompts[0]?.detail).to.contain('to: "bea@example.com"');
    expect(prompts[0]?.message).to.contain('isn’t signed');
    isConfirmed = false;
    expect(await createVoteSigning().sign(APPROVAL, edit)).to.include({ code: 'declined' });
  });

  it('should repeat a vote with its first signature without a prompt, but show a prompt for a changed vote', async () => {
    const voteSigning = createVoteSigning();
    const first = await voteSigning.sign(APPROVAL, VOTE);
    isServerReachable = false;
    expect(await voteSigning.sign(APPROVAL, VOTE)).to.equal(first);
    expect(prompts).to.have.length(1);
    isServerReachable = true;
    expect(await voteSigning.sign(APPROVAL, { ...VOTE, decision: 'reject' })).not.to.deep.equal(first);
    expect(prompts).to.have.length(2);
  });

  it('should repeat a vote without a signature if it was first sent without one', async () => {
    const voteSigning = createVoteSigning();
    const unsignedApproval = { ...APPROVAL, signatureRequired: false };
    await voteSigning.sign(unsignedApproval, VOTE);
    store.update(ACCOUNT, { signsEvery: true });
    expect(await voteSigning.sign(unsignedApproval, VOTE)).to.equal(undefined);
  });

  it('should return the reason without a prompt if the vote cannot be signed', async () => {
    isServerReachable = false;
    expect(await createVoteSigning().sign(APPROVAL, VOTE)).to.include({ code: 'nothing_sent' });
    isServerReachable = true;
    serverId = '01890a5d-ac96-774b-bcce-b302099a8058';
    expect(await createVoteSigning().sign(APPROVAL, VOTE)).to.include({ code: 'no_signing_key' });
    expect(device.state.status).to.equal('other-server');
    serverId = SERVER_ID;
    const revokedSigning = createVoteSigning();
    revokedSigning.onVoteRefused('signing_key_revoked');
    expect(await revokedSigning.sign(APPROVAL, VOTE)).to.include({ code: 'no_signing_key' });
    store.forget(ACCOUNT);
    expect(await createVoteSigning().sign(APPROVAL, VOTE)).to.include({ code: 'no_signing_key' });
    expect(prompts).to.deep.equal([]);
  });
});
