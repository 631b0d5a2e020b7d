import { inject, injectable } from 'inversify';
import type { ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { EnginePort, MAX_SERVER_AGE_MS, StoragePort } from '@countersign/core/ports';

/** Readiness check that warns about runs whose engine no server has: their jobs and timers do not start. */
@injectable()
export class EnginesCheck implements ReadinessCheckContribution {
  readonly name = 'engines';

  constructor(
    @inject(EnginePort) private readonly engine: Pick<EnginePort, 'name'>,
    @inject(StoragePort)
    private readonly storage: Pick<StoragePort, 'listEnginesOfActiveRuns' | 'countServers'>,
  ) {}

  async check(): Promise<ReadinessResult> {
    const [engines, servers] = await Promise.all([
      this.storage.listEnginesOfActiveRuns(),
      this.storage.countServers(MAX_SERVER_AGE_MS),
    ]);
    const available = new Set([this.engine.name, ...servers.map(({ engine }) => engine)]);
    const missing = engines.filter((engine) => !available.has(engine)).map((engine) => `"${engine}"`);
    if (missing.length === 0) return { status: 'ok', detail: 'All active runs belong to engines of running servers.' };
    return {
      status: 'warn',
      detail: `Active runs belong to an engine that no server has: ${missing.join(', ')}. Their jobs and timers start when a server with this engine runs (Engine:Adapter).`,
    };
  }
}
