import { createHash, createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { buildSignedStatement, buildThumbprintInput, type Ed25519PublicKey } from '@countersign/contract';
import { z } from 'zod';

const privateJwkSchema = z.object({ x: z.string(), d: z.string() });

/** An Ed25519 key pair. Only {@link exportSecret} exposes the private key, which must then be encrypted. */
export class SigningPair {
  readonly publicKey: Ed25519PublicKey;
  /** JWK thumbprint of the key (RFC 7638). */
  readonly keyId: string;
  readonly #privateKey: KeyObject;

  private constructor(privateKey: KeyObject) {
    this.#privateKey = privateKey;
    this.publicKey = { kty: 'OKP', crv: 'Ed25519', x: this.exportJwk().x };
    this.keyId = createHash('sha256').update(buildThumbprintInput(this.publicKey)).digest('base64url');
  }

  static generate(): SigningPair {
    return new SigningPair(generateKeyPairSync('ed25519').privateKey);
  }

  /** @throws {Error} if the secret is not a valid Ed25519 key */
  static fromSecret(exportSecret: string): SigningPair {
    const { x, d } = privateJwkSchema.parse(JSON.parse(exportSecret));
    const pair = new SigningPair(createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' }));
    if (pair.publicKey.x !== x) throw new Error('The public key does not match the private key.');
    return pair;
  }

  /** Returns the key pair as a JWK (RFC 8037), in JSON. It must be encrypted before it is stored. */
  secret(): string {
    return JSON.stringify(this.exportJwk());
  }

  /**
   * @param statement the bytes of a statement of the contract
   * @returns the compact JWS
   */
  signStatement(statement: Uint8Array): string {
    return buildSignedStatement(statement, sign(null, statement, this.#privateKey));
  }

  private exportJwk(): z.infer<typeof privateJwkSchema> {
    return privateJwkSchema.parse(this.#privateKey.export({ format: 'jwk' }));
  }
}
