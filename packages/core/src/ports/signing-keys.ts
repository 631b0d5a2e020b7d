import type { ServiceIdentifier } from 'inversify';
import type { AuditEntry } from '../domain/audit.js';
import type { Page, PageRequest } from './records.js';

/**
 * The keys that approvers sign votes with, for all servers on the database. Nothing is ever removed. Each change is written
 * with its audit entry, or not at all. That a vote counts only while its key is not revoked is up to `StoragePort.commit`
 * (`RunWrite.signingKey`).
 */
export interface SigningKeyStore {
  /** A UUID that was made with the database, and stays. */
  serverId(): Promise<string>;
  /**
   * Adds a key, unless there is one of this id, or its owner has `atMost` that are not revoked.
   *
   * @returns the key that stands under the id, this one or an earlier one; `crowded`: there are too many
   */
  registerKey(key: NewSigningKey, atMost: number, audit: AuditEntry): Promise<SigningKeyRecord | 'crowded'>;
  /**
   * Revokes a key. One that is revoked already stays as it is, and nothing is told of it.
   *
   * @param owner only a key of theirs; `null`: anybody's
   * @returns the key as it is then; `undefined` where there is none
   */
  revokeKey(keyId: string, owner: string | null, audit: AuditEntry): Promise<SigningKeyRecord | undefined>;
  /** Those that are there, in no particular order. */
  findKeys(keyIds: readonly string[]): Promise<readonly SigningKeyRecord[]>;
  /** Newest first. @throws {CountersignError} `invalid_cursor` */
  listKeys(subject: string, page: PageRequest): Promise<Page<SigningKeyRecord>>;
}

export const SigningKeyStore: ServiceIdentifier<SigningKeyStore> = Symbol.for('@countersign/core:SigningKeyStore');

export interface NewSigningKey {
  /** The thumbprint of the key (RFC 7638): SHA-256, base64url. */
  readonly keyId: string;
  /** Id of the person whose key it is. */
  readonly subject: string;
  readonly name: string;
  /** The 32 bytes of the Ed25519 public key, base64url. */
  readonly publicKey: string;
  /** The statement that the key was registered with, signed by itself: a compact JWS. */
  readonly proof: string;
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number;
}

export interface SigningKeyRecord extends NewSigningKey {
  /** When a vote that it signed was counted last. */
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  /** Id of who revoked it. */
  readonly revokedBy: string | null;
}
