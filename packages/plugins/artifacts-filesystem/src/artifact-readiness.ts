import { ArtifactStorePort, type ReadinessCheckContribution, type ReadinessResult } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';

/** Checks whether artifacts can be stored now. */
@injectable()
export class ArtifactReadiness implements ReadinessCheckContribution {
  readonly name = 'artifacts';
  readonly #store: ArtifactStorePort;

  constructor(@inject(ArtifactStorePort) store: ArtifactStorePort) {
    this.#store = store;
  }

  async check(): Promise<ReadinessResult> {
    try {
      await this.#store.check();
      return { status: 'ok', detail: 'The artifact directory is writable.' };
    } catch (error) {
      // The path is omitted, because anyone may read the readiness status.
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      return { status: 'fail', detail: `The artifact directory is not writable${code}.` };
    }
  }
}
