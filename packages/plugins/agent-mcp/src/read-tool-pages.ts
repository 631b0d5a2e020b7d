import type { JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { z } from 'zod';

const MAX_PAGES = 50;
const MAX_TOOLS = 5_000;
const MAX_CURSOR_LENGTH = 10_000;

/** A page of tools. Its items are parsed one by one, so that one broken tool does not hide the others. */
export const ToolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.unknown().optional() });

/** The tools that a server lists. */
export interface ListedTools {
  readonly tools: readonly JsonObject[];
  /** Why the list may be incomplete; `undefined` if it is complete. */
  readonly incompleteListReason: string | undefined;
}

/**
 * Reads the tools of a server, page by page (MCP 2025-11-25, "Pagination"). A cursor that is `null`, empty or repeated
 * ends the list.
 */
export async function readToolPages(
  fetchPage: (params: { readonly cursor?: string }) => Promise<z.output<typeof ToolPage>>,
): Promise<ListedTools> {
  const tools: JsonObject[] = [];
  const seenCursors = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const pageResult = await fetchPage(cursor === undefined ? {} : { cursor });
    for (const tool of pageResult.tools) if (isJsonObject(tool)) tools.push(tool);
    if (tools.length > MAX_TOOLS) return toIncompleteList(tools.slice(0, MAX_TOOLS), `${MAX_TOOLS} tools`);
    const next = pageResult.nextCursor;
    if (typeof next !== 'string' || next === '' || seenCursors.has(next))
      return { tools, incompleteListReason: undefined };
    if (next.length > MAX_CURSOR_LENGTH)
      return { tools, incompleteListReason: `its server sent a cursor of more than ${MAX_CURSOR_LENGTH} characters` };
    seenCursors.add(next);
    cursor = next;
  }
  return toIncompleteList(tools, `${MAX_PAGES} pages`);
}

function toIncompleteList(tools: readonly JsonObject[], limit: string): ListedTools {
  return { tools, incompleteListReason: `its server lists more than the ${limit} that are read` };
}
