import { type Client, createClient, type Role } from '@countersign/contract';
import type { ConfigurationOptions } from '../configuration-options.js';
import { findServer, requestToken } from '../token-command.js';

export interface EngineCommandOptions extends ConfigurationOptions {
  readonly token?: string;
  readonly url?: string;
}

/** Returns a client of the running server. */
export async function connect(options: EngineCommandOptions, role: Role): Promise<Client> {
  const url = options.url ?? (await findServer(options));
  const token =
    options.token ?? process.env['COUNTERSIGN_TOKEN'] ?? (await requestToken({ ...options, url, role, group: [] }));
  return createClient({ baseUrl: url, token });
}

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
