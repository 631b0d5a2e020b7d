import type { Readable } from 'node:stream';
import type { ArtifactRecord } from '@countersign/model';

/** Reads and writes the artifacts of the run that a tool call belongs to. */
export interface RunArtifacts {
  /** Lists the newest version of each artifact. */
  list(): Promise<readonly ArtifactRecord[]>;
  /**
   * Returns the version that was pinned when the call was decided on, if the call names the artifact; otherwise the
   * newest one. `undefined` if it does not exist.
   */
  read(
    name: string,
    version?: number,
  ): Promise<{ readonly record: ArtifactRecord; readonly content: Readable } | undefined>;
  /**
   * Stores a new version. If the same call stores the same content under the same name again, for example in another
   * attempt, it is stored once.
   */
  put(name: string, content: Readable | Buffer | string, contentType: string): Promise<ArtifactRecord>;
}
