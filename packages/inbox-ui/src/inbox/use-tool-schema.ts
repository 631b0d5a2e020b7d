import type { Approval, Client, Tool } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { keys } from '../api/keys.js';

type ToolCall = Extract<Approval['subject'], { kind: 'tool_call' }>;

const PAGE = 200;
const MAX_PAGES = 10;
const REST_MS = 60_000;

/** The schema of a call's arguments: `undefined` while it is looked for, `null` where there is none or none to rely on. */
export function useToolSchema({
  tool,
  toolDigest,
}: Pick<ToolCall, 'tool' | 'toolDigest'>): Tool['inputSchema'] | undefined {
  const client = useClient();
  const { data, isPending } = useQuery({
    queryKey: [...keys.tools, tool],
    queryFn: ({ signal }) => findTool(client, tool, signal),
    staleTime: REST_MS,
  });
  if (isPending) return undefined;
  return data === undefined || data === null || !isStill(data, toolDigest) ? null : data.inputSchema;
}

/** A tool whose source may change it has a digest of another kind, but is stopped as soon as it is another one. */
function isStill({ digest, accepted, stopped }: Tool, toolDigest: string): boolean {
  return stopped === null && (accepted !== null || digest === toolDigest);
}

/** The list is by name, and has no filter. */
async function findTool(client: Client, name: string, signal: AbortSignal): Promise<Tool | null> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, nextCursor } = await client.listTools(
      { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    );
    const found = items.find((tool) => tool.name === name);
    if (found !== undefined || nextCursor === null) return found ?? null;
    cursor = nextCursor;
  }
  return null;
}
