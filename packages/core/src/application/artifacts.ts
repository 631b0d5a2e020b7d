import { inject, injectable } from 'inversify';
import type { Readable } from 'node:stream';
import { ApiError } from '@countersign/model';
import { ArtifactStorePort } from '../ports/artifact-store.js';
import { EnginePort, type CommandResponse } from '../ports/engine.js';
import type { RunArtifact } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { ApplicationSettings } from './application-settings.js';
import { buildRequestContext, type Caller } from './caller.js';
import { runNotFoundError } from './errors.js';
import { toArtifactView, type ArtifactView } from './views/artifact-view.js';
import { withResponseType, toJsonResponse } from './views/to-json-response.js';

export interface UploadInput {
  readonly runId: string;
  readonly name: string;
  readonly contentType: string;
  readonly content: Readable;
}

/** Uploads and downloads artifact content as streams, never buffered in full. */
@injectable()
export class Artifacts {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ArtifactStorePort) private readonly store: ArtifactStorePort,
    @inject(ApplicationSettings) private readonly settings: ApplicationSettings,
  ) {}

  get maxBytes(): number {
    return this.settings.artifactMaxBytes;
  }

  /**
   * Checks that a run exists, before any bytes are read.
   *
   * @throws {ApiError} `run_not_found`
   */
  async requireRun(runId: string): Promise<void> {
    if ((await this.storage.findRun(runId)) === undefined) throw runNotFoundError(runId);
  }

  /**
   * Stores the bytes, then records them as the next version of the name. If recording fails, the bytes stay in the
   * store without a run, which is harmless because they are addressed by digest.
   */
  async upload(
    { runId, name, contentType, content }: UploadInput,
    caller: Caller,
  ): Promise<CommandResponse<ArtifactView>> {
    const { sha256, size } = await this.store.put(content, this.settings.artifactMaxBytes);
    return withResponseType(
      this.engine.recordArtifact({
        context: buildRequestContext(caller, 'uploadArtifact', { runId, name, contentType, sha256, size }),
        runId,
        artifact: { name, size, sha256, contentType },
        respond: ({ artifact }) => {
          if (artifact === null) throw new Error('The engine recorded an artifact but did not return it.');
          return toJsonResponse(toArtifactView(artifact));
        },
      }),
    );
  }

  /** @throws {ApiError} `run_not_found`, `artifact_not_found` */
  async find(runId: string, name: string, version?: number): Promise<RunArtifact> {
    const found = await this.storage.findArtifact(runId, name, version);
    if (found !== undefined) return found;
    await this.requireRun(runId);
    const versionSuffix = version === undefined ? '' : ` in version ${version}`;
    throw new ApiError('artifact_not_found', `The run has no artifact with this name${versionSuffix}.`);
  }

  /** Opens the content, or a byte range of it (including `end`). */
  async open(artifact: RunArtifact, range?: { readonly start: number; readonly end: number }): Promise<Readable> {
    const content = await this.store.open(artifact.sha256, range);
    if (content !== undefined) return content;
    throw new ApiError(
      'artifact_damaged',
      'The content of this artifact is missing from the artifact store. An operator can restore the file from a backup.',
      { sha256: artifact.sha256 },
    );
  }
}
