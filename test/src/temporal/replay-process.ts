/**
 * Replays the recorded histories, and prints the error of each file as JSON, in the last line. A process of its own, because a process
 * can configure the SDK only once.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HISTORIES, loadTemporalSdk, WORKFLOW_BUNDLE } from './temporal-sdk.spec.support.js';

const { DefaultLogger, Runtime, Worker } = loadTemporalSdk();
Runtime.install({ logger: new DefaultLogger('ERROR') });
const errors: Record<string, string | null> = {};
for (const file of await readdir(HISTORIES)) {
  const recorded: unknown = JSON.parse(await readFile(join(HISTORIES, file), 'utf8'));
  const { workflowId, history } = recorded as { workflowId: string; history: unknown };
  errors[file] = await Worker.runReplayHistory({ workflowBundle: WORKFLOW_BUNDLE }, history, workflowId).then(
    () => null,
    (error: unknown) => String(error),
  );
}
process.stdout.write(`\n${JSON.stringify(errors)}`);
