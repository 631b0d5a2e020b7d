import type { Readable } from 'node:stream';
import type { ArtifactRecord } from '@countersign/model';

/** The artifacts of the run that a call belongs to. */
export interface RunArtifacts {
  /** Newest versions. */
  list(): Promise<readonly ArtifactRecord[]>;
  /** The version that was pinned when the call was decided on, where the call names it; else the newest. `undefined`: there is none. */
  read(
    name: string,
    version?: number,
  ): Promise<{ readonly record: ArtifactRecord; readonly content: Readable } | undefined>;
  /** Stores a new version. The same content under the same name, put again by the same call (at another attempt, for example), is stored once. */
  put(name: string, content: Readable | Buffer | string, contentType: string): Promise<ArtifactRecord>;
}
