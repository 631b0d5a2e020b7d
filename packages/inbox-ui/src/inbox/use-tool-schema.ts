import type { Approval, Client, Tool } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { queryKeys } from '../api/query-keys.js';

type ToolCall = Extract<Approval['subject'], { kind: 'tool_call' }>;

const PAGE_SIZE = 200;
const MAX_PAGES = 10;
const STALE_MS = 60_000;

/**
 * Returns the schema of a tool call's arguments: `undefined` while loading, `null` if there is none or the tool may
 * have changed.
 */
export function useToolSchema({
  tool,
  toolDigest,
}: Pick<ToolCall, 'tool' | 'toolDigest'>): Tool['inputSchema'] | undefined {
  const client = useClient();
  const { data, isPending } = useQuery({
    queryKey: [...queryKeys.tools, tool],
    queryFn: ({ signal }) => findTool(client, tool, signal),
    staleTime: STALE_MS,
  });
  if (isPending) return undefined;
  return data === undefined || data === null || !isUnchanged(data, toolDigest) ? null : data.inputSchema;
}

/**
 * Returns whether the tool is unchanged. The digest of a tool whose source may change it cannot be compared with
 * `toolDigest`, but such a tool is stopped as soon as it changes.
 */
function isUnchanged({ digest, accepted, stopped }: Tool, toolDigest: string): boolean {
  return stopped === null && (accepted !== null || digest === toolDigest);
}

/** Searches page by page, because the list is sorted by name and has no filter. */
async function findTool(client: Client, name: string, signal: AbortSignal): Promise<Tool | null> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, nextCursor } = await client.listTools(
      { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    );
    const found = items.find((tool) => tool.name === name);
    if (found !== undefined || nextCursor === null) return found ?? null;
    cursor = nextCursor;
  }
  return null;
}
