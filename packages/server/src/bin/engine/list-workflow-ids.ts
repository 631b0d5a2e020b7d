import type { Client } from '@countersign/contract';

/** Returns the ids of all workflows, in the order of the list. */
export async function listWorkflowIds(client: Client): Promise<string[]> {
  const workflowIds: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listWorkflows({ limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    workflowIds.push(...page.items.map(({ workflowId }) => workflowId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return workflowIds;
}
