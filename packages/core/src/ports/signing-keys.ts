import type { ServiceIdentifier } from 'inversify';
import type { AuditEntry } from '@countersign/model';
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
   * Adds a key, unless there is one of this id, or its owner has `atMost` that are not revoked. One that its owner registered
   * before, and that is neither enrolled nor revoked, is enrolled now where `enrolment` is given.
   *
   * @returns the key that stands under the id, this one or an earlier one; `crowded`: there are too many
   */
  registerKey(key: NewSigningKey, atMost: number, audit: AuditEntry): Promise<SigningKeyRecord | 'crowded'>;
  /**
   * Enrols a key. One that is enrolled or revoked already stays as it is, and nothing is told of it.
   *
   * @param enrolment where another key countersigns, that key stays locked meanwhile, so that it is not revoked beside it
   * @returns the key as it is then; `undefined` where there is none; `no_countersigner`: the key that countersigns is not
   * enrolled, revoked, or of someone else
   */
  enrolKey(
    keyId: string,
    enrolment: NewEnrolment,
    audit: AuditEntry,
  ): Promise<SigningKeyRecord | 'no_countersigner' | undefined>;
  /**
   * Revokes a key. One that is revoked already stays as it is, and nothing is told of it.
   *
   * @param owner only a key of theirs; `null`: anybody's
   * @returns the key as it is then; `undefined` where there is none
   */
  revokeKey(keyId: string, owner: string | null, audit: AuditEntry): Promise<SigningKeyRecord | undefined>;
  /** Those that are there, in no particular order. */
  findKeys(keyIds: readonly string[]): Promise<readonly SigningKeyRecord[]>;
  /** Those that were registered, enrolled or revoked since a time (ms since the epoch), of whichever person, in no particular order. */
  listKeysChangedSince(since: number): Promise<readonly SigningKeyRecord[]>;
  /** Newest first. @throws {ApiError} `invalid_cursor` */
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
  /** What proved that the key is its owner’s; `null`: nothing so far, so it signs nothing that counts. */
  readonly enrolment: KeyEnrolment | null;
}

export interface KeyEnrolment {
  /** `unproven`: registered before proof was required. */
  readonly method: 'sign_in' | 'countersignature' | 'admin' | 'unproven';
  /** Id of the admin, or of the key that countersigned. */
  readonly by: string | null;
  readonly at: number;
}

export interface NewEnrolment extends KeyEnrolment {
  /** The statement of the key that countersigned: a compact JWS; `null` where none did. */
  readonly countersignature: string | null;
}

export interface SigningKeyRecord extends NewSigningKey {
  /** What another key enrolled it with: a compact JWS. */
  readonly countersignature: string | null;
  /** When a vote that it signed was counted last. */
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  /** Id of who revoked it. */
  readonly revokedBy: string | null;
}
