import type { JsonObject } from '@countersign/core/plugin';
import { canonicalJson } from '@countersign/model';
import { toAgentToolName, type McpServerConfiguration } from './configuration.js';
import type { RedactSecrets } from './server-redactor.js';
import type { ListedTools } from './read-tool-pages.js';
import { readOfferedTool, type OfferedTool } from './offered-tool.js';
import { toSingleLine } from './escape-hidden-characters.js';

/** A server's offer under the name of an allowed tool: a tool, or a reason why it cannot be used. */
export interface ToolOffer {
  readonly tool?: OfferedTool;
  readonly problem?: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Returns the offers of a server by their names for agents. Tools that are not allowed are ignored. */
export function readListedTools(
  { Name, AllowedTools }: McpServerConfiguration,
  { tools, incompleteListReason }: ListedTools,
  redact: RedactSecrets,
  now: number,
): ReadonlyMap<string, ToolOffer> {
  const offers = new Map<string, ToolOffer>();
  for (const allowed of AllowedTools) {
    const [first, ...duplicates] = tools.filter(({ name }) => name === allowed.Name);
    if (first === undefined && incompleteListReason === undefined) continue;
    const offer =
      first === undefined
        ? { problem: `${incompleteListReason}, and the tool is not in the part that was read` }
        : readOffer(first, duplicates, redact);
    offers.set(toAgentToolName(Name, allowed.Name), { ...offer, since: now });
  }
  return offers;
}

function readOffer(
  first: JsonObject,
  duplicates: readonly JsonObject[],
  redact: RedactSecrets,
): Omit<ToolOffer, 'since'> {
  // With several different tools, it is unknown which one a call would reach. Repeated pages list the same tool.
  const areAllSame = duplicates.every((other) => isSameTool(first, other));
  return areAllSame ? readTool(first, redact) : { problem: 'its server lists several tools of this name' };
}

function isSameTool(left: JsonObject, right: JsonObject): boolean {
  try {
    return canonicalJson(left) === canonicalJson(right);
  } catch {
    return false;
  }
}

function readTool(rawTool: JsonObject, redact: RedactSecrets): Omit<ToolOffer, 'since'> {
  try {
    return { tool: readOfferedTool(rawTool, redact) };
  } catch (error) {
    return { problem: toSingleLine(redact(error instanceof Error ? error.message : String(error))).replace(/\.$/, '') };
  }
}
