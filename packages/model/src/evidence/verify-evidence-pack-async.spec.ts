import { generateKeyPairSync, sign } from 'node:crypto';
import { expect } from 'chai';
import { canonicalJson } from '../canonical-json.js';
import type { JsonObject } from '../json.js';
import { computeThumbprint, isSignedBy } from '../signed-statement.js';
import { buildVerifiableVoteFields, KEY_TYPE, VOTE_TYPE } from '../signed-vote.js';
import { verifyEvidencePackAsync, type VerifySignature } from './verify-evidence-pack-async.js';
import { verifyEvidencePack } from './verify-evidence-pack.js';

const RUN_ID = '01a2030c-ba17-7acc-9fd3-5e425291ad1d';
const APPROVAL = { approvalId: 'approval', round: 1, digest: `sha256:${'0'.repeat(64)}` };
const base64url = (text: string | Buffer): string => Buffer.from(text).toString('base64url');

function createSigner() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const x = String(publicKey.export({ format: 'jwk' }).x);
  const keyId = computeThumbprint(x);
  return {
    x,
    keyId,
    sign: (typ: string, statement: JsonObject): string => {
      const header = canonicalJson({ alg: 'EdDSA', kid: keyId, typ });
      const signingInput = `${base64url(header)}.${base64url(canonicalJson(statement))}`;
      return `${signingInput}.${base64url(sign(null, Buffer.from(signingInput), privateKey))}`;
    },
  };
}

const SIGNER = createSigner();

/** Builds the parts of a pack that concern signatures; the check reports the others as missing. */
function buildSignedPack(): JsonObject {
  const [server, at] = ['server', '2026-01-01T10:00:00.000Z'];
  const vote = { decision: 'approve', comment: 'Fine.' } as const;
  const voteStatement = { ...buildVerifiableVoteFields(RUN_ID, APPROVAL, vote), server, keyId: SIGNER.keyId, at };
  return {
    schema: 'urn:countersign:schema:evidence-pack:2',
    server: { serverId: server },
    run: { runId: RUN_ID },
    signingKeys: [
      {
        keyId: SIGNER.keyId,
        subject: 'ada',
        publicKey: { x: SIGNER.x },
        proof: SIGNER.sign(KEY_TYPE, { server, subject: 'ada', keyId: SIGNER.keyId, at }),
      },
    ],
    approvals: [
      {
        ...APPROVAL,
        votes: [
          {
            ...vote,
            by: 'ada',
            keyId: SIGNER.keyId,
            signature: SIGNER.sign(VOTE_TYPE, voteStatement),
          },
        ],
      },
    ],
  };
}

const verifyInNode: VerifySignature = async ({ publicKey, signature, signedBytes }) =>
  isSignedBy({ keyId: '', statement: {}, signature, signedBytes }, publicKey);
const findSignaturePointers = (problems: readonly { code: string; pointer: string }[]): string[] =>
  problems.flatMap(({ code, pointer }) => (code === 'signature_invalid' ? [pointer] : []));

describe('verifyEvidencePackAsync()', () => {
  it('should find the same problems as the check in Node.js', async () => {
    const { approvals, ...incompletePack } = buildSignedPack();
    for (const pack of [buildSignedPack(), incompletePack, { ...incompletePack, approvals: [7] }, {}, [], null, 'x']) {
      const { problems, notCovered } = await verifyEvidencePackAsync(pack, verifyInNode);
      expect({ problems, notCovered }).to.deep.equal(verifyEvidencePack(pack));
    }
    expect(approvals).to.have.length(1);
  });

  it('should report the pack of another run', async () => {
    const findRunPointers = async (expectedRunId: string): Promise<string[]> => {
      const { problems } = await verifyEvidencePackAsync(buildSignedPack(), verifyInNode, expectedRunId);
      return problems.flatMap(({ pointer }) => (pointer === '/run/runId' ? [pointer] : []));
    };
    expect(await findRunPointers(RUN_ID)).to.deep.equal([]);
    expect(await findRunPointers('another')).to.deep.equal(['/run/runId']);
  });

  it('should accept valid signatures and count them', async () => {
    const check = await verifyEvidencePackAsync(buildSignedPack(), verifyInNode);
    expect(findSignaturePointers(check.problems)).to.deep.equal([]);
    expect([check.verifiedSignatures, check.uncheckedSignatures]).to.deep.equal([2, 0]);
  });

  it('should report a signature that does not verify', async () => {
    const { problems } = await verifyEvidencePackAsync(buildSignedPack(), async () => false);
    expect(findSignaturePointers(problems)).to.deep.equal(['/signingKeys/0/proof', '/approvals/0/votes/0/signature']);
  });

  it('should count signatures that the platform cannot verify, and still compare what they sign', async () => {
    const pack = buildSignedPack();
    const check = await verifyEvidencePackAsync(pack, async () => undefined);
    expect(findSignaturePointers(check.problems)).to.deep.equal([]);
    expect([check.verifiedSignatures, check.uncheckedSignatures]).to.deep.equal([0, 2]);

    const { problems } = await verifyEvidencePackAsync({ ...pack, run: { runId: 'another' } }, async () => undefined);
    expect(findSignaturePointers(problems)).to.deep.equal(['/approvals/0/votes/0/signature']);
  });
});
