import { inject, injectable } from 'inversify';
import type { SettingsTestCheck, SettingsTestContribution } from '@countersign/core/plugin';
import { EnginePort, StoragePort } from '@countersign/core/ports';

const TEST_OWNER = 'settings-test';

/** Settings test that polls for jobs as the engine does continuously, but claims none. */
@injectable()
export class EngineTest implements SettingsTestContribution {
  readonly target = 'engine';

  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
  ) {}

  checks(): readonly SettingsTestCheck[] {
    return [
      {
        name: 'polls for jobs',
        run: async () => {
          // With no job types, the database does the same work, but nothing is claimed.
          await this.storage.claimJobs({ owner: TEST_OWNER, jobTypes: [], limit: 1, leaseMs: 1 });
          const { instanceId, workers } = await this.engine.status();
          return `Embedded, instance ${instanceId}, job types: ${workers.length}.`;
        },
      },
    ];
  }
}
