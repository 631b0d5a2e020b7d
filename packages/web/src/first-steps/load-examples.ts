import type { Client, JsonObject, WorkflowDetail } from '@countersign/contract';
import { canStartOnRequest } from '../workflows/describe-starts.js';
import { findExampleInputs } from './find-example-inputs.js';

/** A workflow with example inputs. */
export interface Example {
  readonly workflow: WorkflowDetail;
  readonly inputs: JsonObject;
}

/** Maximum number of workflows that are searched for example inputs: more than a new system has. */
const MAX_WORKFLOWS = 20;

/** Loads the workflows whose input schemas have examples and which users can start. */
export async function loadExamples(client: Client, signal: AbortSignal): Promise<readonly Example[]> {
  const { items } = await client.listWorkflows({ limit: MAX_WORKFLOWS }, { signal });
  const workflows = await Promise.all(
    items.filter(canStartOnRequest).map(({ workflowId }) => client.getWorkflow({ workflowId }, { signal })),
  );
  return workflows.flatMap((workflow) => {
    const inputs = findExampleInputs(workflow.inputSchema);
    return inputs === undefined ? [] : [{ workflow, inputs }];
  });
}
