import type { ServiceIdentifier } from 'inversify';
import type { AuditEntry } from '@countersign/model';
import type { Page, PageRequest } from './records.js';

/**
 * Stores the public keys that approvers sign votes with, for all servers on the database. Keys are never removed. Each
 * change is written together with its audit entry. `StoragePort.commit` ensures that a vote counts only while its key
 * is not revoked (`RunWrite.signingKey`).
 */
export interface SigningKeyStore {
  /** Returns the id of the database, a UUID that never changes. */
  getServerId(): Promise<string>;
  /**
   * Registers a key, unless its id exists or its owner has `maxActiveKeys` keys that are not revoked. A key that its
   * owner has already registered is enrolled, if `enrolment` is given and the key is neither enrolled nor revoked.
   *
   * @returns the stored key with this id; `crowded` if the owner has too many keys
   */
  registerKey(key: NewSigningKey, maxActiveKeys: number, audit: AuditEntry): Promise<SigningKeyRecord | 'crowded'>;
  /**
   * Enrols a key. A key that is already enrolled or revoked stays unchanged, without an audit entry.
   *
   * @param enrolment if another key countersigns, that key is locked during the transaction, so that it cannot be
   * revoked concurrently
   * @returns the key after the change; `undefined` if it does not exist; `no_countersigner` if the countersigning key
   * is not enrolled, is revoked, or belongs to another person
   */
  enrolKey(
    keyId: string,
    enrolment: NewEnrolment,
    audit: AuditEntry,
  ): Promise<SigningKeyRecord | 'no_countersigner' | undefined>;
  /**
   * Revokes a key. A key that is already revoked stays unchanged, without an audit entry.
   *
   * @param owner revoke only a key of this person; `null` for a key of anyone
   * @returns the key after the change; `undefined` if it does not exist
   */
  revokeKey(keyId: string, owner: string | null, audit: AuditEntry): Promise<SigningKeyRecord | undefined>;
  /** Returns the given keys that exist, in no particular order. */
  findKeys(keyIds: readonly string[]): Promise<readonly SigningKeyRecord[]>;
  /**
   * Lists the keys of all people that were registered, enrolled or revoked since a time (ms since the epoch), in no
   * particular order.
   */
  listKeysChangedSince(since: number): Promise<readonly SigningKeyRecord[]>;
  /** Lists keys, newest first. @throws {ApiError} `invalid_cursor` */
  listKeys(subject: string, page: PageRequest): Promise<Page<SigningKeyRecord>>;
}

export const SigningKeyStore: ServiceIdentifier<SigningKeyStore> = Symbol.for('@countersign/core:SigningKeyStore');

export interface NewSigningKey {
  /** The thumbprint of the key (RFC 7638): SHA-256, base64url. */
  readonly keyId: string;
  /** Id of the owner. */
  readonly subject: string;
  readonly name: string;
  /** The 32 bytes of the Ed25519 public key, base64url. */
  readonly publicKey: string;
  /** The registration statement, signed with the key itself: a compact JWS. */
  readonly proof: string;
  /** Milliseconds since the epoch, like all times here. */
  readonly createdAt: number;
  /** The proof that the key belongs to its owner; `null` if there is none yet, so its signatures do not count. */
  readonly enrolment: KeyEnrolment | null;
}

export interface KeyEnrolment {
  /** `unproven`: registered before a proof was required. */
  readonly method: 'sign_in' | 'countersignature' | 'admin' | 'unproven';
  /** Id of the admin or of the countersigning key. */
  readonly by: string | null;
  readonly at: number;
}

export interface NewEnrolment extends KeyEnrolment {
  /** The statement of the countersigning key, a compact JWS; `null` if none countersigned. */
  readonly countersignature: string | null;
}

export interface SigningKeyRecord extends NewSigningKey {
  /** The statement by which another key enrolled it: a compact JWS. */
  readonly countersignature: string | null;
  /** Time of the last counted vote that it signed. */
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  /** Id of the person who revoked it. */
  readonly revokedBy: string | null;
}
