import type { Readable } from 'node:stream';
import { ApiError, type ArtifactStorePort, type RunArtifacts } from '@countersign/core/plugin';
import type { StoragePort } from '@countersign/core/ports';
import type { ArtifactRecord, PinnedArtifact } from '@countersign/model';
import { checkArtifact } from './job-values.js';

/** Storage of the records and the contents of artifacts. */
export interface ArtifactSources {
  readonly storage: Pick<StoragePort, 'listArtifacts' | 'findArtifact'>;
  readonly contents: Pick<ArtifactStorePort, 'open'>;
}

/** Artifacts of the run of a job. Artifacts that a call pinned are read in the pinned version. */
export class JobArtifacts implements RunArtifacts {
  constructor(
    private readonly runId: string,
    private readonly pinned: readonly PinnedArtifact[],
    private readonly sources: ArtifactSources,
    private readonly store: RunArtifacts['put'],
  ) {}

  async list(): Promise<readonly ArtifactRecord[]> {
    const newest = new Map<string, ArtifactRecord>();
    for (const artifact of await this.sources.storage.listArtifacts(this.runId)) {
      if (artifact.version > (newest.get(artifact.name)?.version ?? 0)) newest.set(artifact.name, artifact);
    }
    return [...newest.values()];
  }

  async read(
    name: string,
    version?: number,
  ): Promise<{ readonly record: ArtifactRecord; readonly content: Readable } | undefined> {
    const pin = version === undefined ? this.pinned.find((each) => each.name === name) : undefined;
    if (pin?.version === null) return undefined;
    const record = await this.sources.storage.findArtifact(this.runId, name, version ?? pin?.version);
    if (record === undefined) return undefined;
    const matchesPin = pin === undefined || pin.sha256 === record.sha256;
    const content = matchesPin ? await this.sources.contents.open(record.sha256) : undefined;
    if (content === undefined) {
      throw new ApiError(
        'artifact_not_found',
        `The content of the artifact ${JSON.stringify(name)}, version ${record.version}, is not available.`,
      );
    }
    return { record, content };
  }

  async put(...[name, content, contentType]: Parameters<RunArtifacts['put']>): Promise<ArtifactRecord> {
    checkArtifact(name, contentType);
    return this.store(name, content, contentType);
  }
}
