import type { WorkflowEngine } from '@countersign/contract';
import { connect } from '../connect.js';
import type { ConnectionOptions } from '../connection-options.js';
import { describeEngines } from './describe-moves.js';
import { listWorkflowIds } from './list-workflow-ids.js';

/** Prints the running servers by engine, and the engines of all workflows. */
export async function listEngines(options: ConnectionOptions): Promise<void> {
  const client = await connect(options, 'operator');
  const workflows: WorkflowEngine[] = [];
  for (const workflowId of await listWorkflowIds(client))
    workflows.push(await client.getWorkflowEngine({ workflowId }));
  const text = workflows.length === 0 ? 'No workflow is deployed.' : describeEngines(workflows);
  process.stdout.write(`${text}\n`);
}
