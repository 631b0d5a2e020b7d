import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The parts of `@temporalio/worker` that specs use. Its types are not part of every build. */
interface TemporalSdk {
  readonly Worker: {
    create(options: object): Promise<{ run(): Promise<void>; shutdown(): void }>;
    /** Rejects if the workflow would have done something else than the history records. */
    runReplayHistory(options: object, history: unknown, workflowId: string): Promise<void>;
  };
  readonly Runtime: { install(options: object): unknown };
  readonly DefaultLogger: new (level: string) => object;
  readonly NativeConnection: { connect(options: object): Promise<{ close(): Promise<void> }> };
}

const PACKAGE = new URL('../../../packages/plugins/engine-temporal/', import.meta.url);

/** Recorded histories of workflows. */
export const HISTORIES = fileURLToPath(new URL('histories/', PACKAGE));

/** The bundle of the workflows. */
export const WORKFLOW_BUNDLE = Object.freeze({
  codePath: fileURLToPath(new URL('dist/workflow-bundle.cjs', PACKAGE)),
});

/** Loads the SDK of Temporal, which must be installed. */
export function loadTemporalSdk(): TemporalSdk {
  return createRequire(new URL('package.json', PACKAGE))('@temporalio/worker') as TemporalSdk;
}
