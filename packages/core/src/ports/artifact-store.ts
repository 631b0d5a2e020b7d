import type { Readable } from 'node:stream';
import type { ServiceIdentifier } from 'inversify';

/** Where the bytes of artifacts lie, addressed by their digest. What a run knows of them is in its history. */
export interface ArtifactStorePort {
  /**
   * Takes bytes in, durably, while it counts and hashes them.
   *
   * @throws {ApiError} `payload_too_large` past `maxBytes`; nothing is kept then.
   */
  put(content: Readable, maxBytes: number): Promise<StoredContent>;
  /**
   * The bytes, or a range of them (`end` included), once all of them were compared with the digest. `undefined` where the
   * content is not there. The stream fails with `artifact_damaged` before its end where they are changed while it is read.
   *
   * @throws {ApiError} `artifact_damaged` where the stored bytes have another digest
   */
  open(sha256: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
  /** Tries the store without leaving anything behind. */
  check(): Promise<void>;
}

export interface StoredContent {
  /** Hex. */
  readonly sha256: string;
  readonly size: number;
}

export const ArtifactStorePort: ServiceIdentifier<ArtifactStorePort> = Symbol.for(
  '@countersign/core:ArtifactStorePort',
);
