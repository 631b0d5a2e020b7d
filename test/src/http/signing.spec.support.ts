import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import {
  keyToSign,
  signedStatement,
  thumbprintInput,
  voteToSign,
  type Approval,
  type Client,
  type Decision,
  type Ed25519PublicKey,
  type KeyStatement,
  type SigningKey,
  type VoteStatement,
} from '@countersign/contract';
import { isoIn } from '@countersign/testing';

/** Signing device of an inbox: its key never leaves it, and it signs votes and proofs. */
export class Device {
  readonly publicKey: Ed25519PublicKey;
  readonly keyId: string;

  constructor(
    readonly server: string,
    private readonly privateKey: KeyObject = generateKeyPairSync('ed25519').privateKey,
  ) {
    const { x } = createPublicKey(createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))).export({
      format: 'jwk',
    });
    this.publicKey = { kty: 'OKP', crv: 'Ed25519', x: String(x) };
    this.keyId = createHash('sha256').update(thumbprintInput(this.publicKey)).digest('base64url');
  }

  static async for(client: Client): Promise<Device> {
    return new Device((await client.getSigning()).serverId);
  }

  proof(subject: string, over: Partial<KeyStatement> = {}): string {
    return this.signed(keyToSign({ server: this.server, subject, keyId: this.keyId, at: isoIn(0), ...over }));
  }

  register(client: Client, subject: string, over: Partial<KeyStatement> = {}): Promise<SigningKey> {
    return client.registerSigningKey({
      body: { publicKey: this.publicKey, name: 'Laptop', proof: this.proof(subject, over) },
    });
  }

  statement({ runId, approvalId, round, digest }: Approval, decision: Decision, comment?: string): VoteStatement {
    const commentDigest = comment === undefined ? null : `sha256:${createHash('sha256').update(comment).digest('hex')}`;
    return {
      server: this.server,
      runId,
      approvalId,
      round,
      decision,
      commentDigest,
      subjectDigest: digest,
      keyId: this.keyId,
      at: isoIn(0),
    };
  }

  vote(approval: Approval, decision: Decision, comment?: string, over: Partial<VoteStatement> = {}): string {
    return this.signed(voteToSign({ ...this.statement(approval, decision, comment), ...over }));
  }

  signed(bytes: Uint8Array): string {
    return signedStatement(bytes, sign(null, bytes, this.privateKey));
  }
}
