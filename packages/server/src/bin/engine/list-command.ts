import type { WorkflowEngine } from '@countersign/contract';
import { connect, type EngineCommandOptions, listWorkflowIds } from './connect.js';
import { describeEngines } from './describe-moves.js';

/** Prints the running servers by engine, and the engines of all workflows. */
export async function listEngines(options: EngineCommandOptions): Promise<void> {
  const client = await connect(options, 'operator');
  const workflows: WorkflowEngine[] = [];
  for (const workflowId of await listWorkflowIds(client))
    workflows.push(await client.getWorkflowEngine({ workflowId }));
  const text = workflows.length === 0 ? 'No workflow is deployed.' : describeEngines(workflows);
  process.stdout.write(`${text}\n`);
}
