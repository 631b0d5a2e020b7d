import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import {
  buildKeySigningInput,
  buildSignedStatement,
  buildThumbprintInput,
  buildVoteSigningInput,
  type Approval,
  type Client,
  type Decision,
  type Ed25519PublicKey,
  type KeyStatement,
  type SigningKey,
  type VoteStatement,
} from '@countersign/contract';
import { isoTimeIn } from '@countersign/testing';

/** Simulates the signing device of an inbox, which holds a private key and signs votes and proofs with it. */
export class Device {
  readonly publicKey: Ed25519PublicKey;
  readonly keyId: string;

  constructor(
    readonly serverId: string,
    private readonly privateKey: KeyObject = generateKeyPairSync('ed25519').privateKey,
  ) {
    const { x } = createPublicKey(createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))).export({
      format: 'jwk',
    });
    this.publicKey = { kty: 'OKP', crv: 'Ed25519', x: String(x) };
    this.keyId = createHash('sha256').update(buildThumbprintInput(this.publicKey)).digest('base64url');
  }

  static async forServer(client: Client): Promise<Device> {
    return new Device((await client.getSigning()).serverId);
  }

  createKeyProof(subject: string, overrides: Partial<KeyStatement> = {}): string {
    return this.signBytes(
      buildKeySigningInput({ server: this.serverId, subject, keyId: this.keyId, at: isoTimeIn(0), ...overrides }),
    );
  }

  register(client: Client, subject: string, overrides: Partial<KeyStatement> = {}): Promise<SigningKey> {
    return client.registerSigningKey({
      body: { publicKey: this.publicKey, name: 'Laptop', proof: this.createKeyProof(subject, overrides) },
    });
  }

  buildVoteStatement(
    { runId, approvalId, round, digest }: Approval,
    decision: Decision,
    comment?: string,
  ): VoteStatement {
    const commentDigest = comment === undefined ? null : `sha256:${createHash('sha256').update(comment).digest('hex')}`;
    return {
      server: this.serverId,
      runId,
      approvalId,
      round,
      decision,
      commentDigest,
      subjectDigest: digest,
      keyId: this.keyId,
      at: isoTimeIn(0),
    };
  }

  signVote(approval: Approval, decision: Decision, comment?: string, overrides: Partial<VoteStatement> = {}): string {
    return this.signBytes(
      buildVoteSigningInput({ ...this.buildVoteStatement(approval, decision, comment), ...overrides }),
    );
  }

  signBytes(bytes: Uint8Array): string {
    return buildSignedStatement(bytes, sign(null, bytes, this.privateKey));
  }
}
