import { inject, injectable } from 'inversify';
import type { LifecycleContribution } from '@countersign/core/plugin';
import { EnginePort } from '@countersign/core/ports';

/** Time for running jobs to finish when the server stops, in ms. */
const GRACE_MS = 10_000;

/** Starts and stops the engine with the server. */
@injectable()
export class EngineLifecycle implements LifecycleContribution {
  readonly name = 'engine';

  constructor(@inject(EnginePort) private readonly engine: EnginePort) {}

  start(): Promise<void> {
    return this.engine.start();
  }

  stop(): Promise<void> {
    return this.engine.stop(GRACE_MS);
  }
}
