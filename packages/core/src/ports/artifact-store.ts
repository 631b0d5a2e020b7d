import type { Readable } from 'node:stream';
import type { ServiceIdentifier } from 'inversify';

/** Stores the bytes of artifacts by their digest. Metadata of artifacts is in the history of the run. */
export interface ArtifactStorePort {
  /**
   * Stores bytes durably, and counts and hashes them at the same time.
   *
   * @throws {ApiError} `payload_too_large` if there are more than `maxBytes`; in this case, nothing is stored
   */
  put(content: Readable, maxBytes: number): Promise<StoredContent>;
  /**
   * Returns the bytes, or a range of them (`end` included), after verifying the digest of the whole content;
   * `undefined` if the content does not exist. If the bytes change while they are read, the stream fails with
   * `artifact_damaged` before its end.
   *
   * @throws {ApiError} `artifact_damaged` if the stored bytes have a different digest
   */
  open(sha256: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
  /** Checks that the store works, and leaves nothing behind. */
  check(): Promise<void>;
}

export interface StoredContent {
  /** Hexadecimal SHA-256. */
  readonly sha256: string;
  readonly size: number;
}

export const ArtifactStorePort: ServiceIdentifier<ArtifactStorePort> = Symbol.for(
  '@countersign/core:ArtifactStorePort',
);
