import type { Client, Workflow } from '@countersign/contract';

const PAGE = 200;
/** More than anybody chooses from. */
const MOST = 2_000;

/** All workflows, to choose one of. */
export async function allWorkflows(client: Client, signal: AbortSignal): Promise<readonly Workflow[]> {
  const workflows: Workflow[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listWorkflows({ limit: PAGE, ...(cursor !== undefined && { cursor }) }, { signal });
    workflows.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && workflows.length < MOST);
  return workflows;
}
