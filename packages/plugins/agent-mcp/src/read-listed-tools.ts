import type { JsonObject } from '@countersign/core/plugin';
import { canonicalJson } from '@countersign/model';
import { toolName, type McpServerConfiguration } from './configuration.js';
import type { HideSecrets } from './hide-secrets.js';
import type { ListedTools } from './list-tools.js';
import { readOfferedTool, type OfferedTool } from './offered-tool.js';
import { oneLine } from './visible-text.js';

/** A server's offer under the name of an allowed tool: a tool, or a reason why it cannot be used. */
export interface ListedTool {
  readonly tool?: OfferedTool;
  readonly problem?: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Returns the offers of a server by their names for agents. Tools that are not allowed are ignored. */
export function readListedTools(
  { Name, AllowedTools }: McpServerConfiguration,
  { tools, cut }: ListedTools,
  hide: HideSecrets,
  now: number,
): ReadonlyMap<string, ListedTool> {
  const offers = new Map<string, ListedTool>();
  for (const allowed of AllowedTools) {
    const [first, ...more] = tools.filter(({ name }) => name === allowed.Name);
    if (first === undefined && cut === undefined) continue;
    const offer =
      first === undefined ? { problem: `${cut}, and the tool is not among them` } : readOne(first, more, hide);
    offers.set(toolName(Name, allowed.Name), { ...offer, since: now });
  }
  return offers;
}

function readOne(first: JsonObject, more: readonly JsonObject[], hide: HideSecrets): Omit<ListedTool, 'since'> {
  // With several different tools, it is unknown which one a call would reach. Repeated pages list the same tool.
  const isOne = more.every((other) => isSame(first, other));
  return isOne ? read(first, hide) : { problem: 'its server lists several tools of this name' };
}

function isSame(left: JsonObject, right: JsonObject): boolean {
  try {
    return canonicalJson(left) === canonicalJson(right);
  } catch {
    return false;
  }
}

function read(given: JsonObject, hide: HideSecrets): Omit<ListedTool, 'since'> {
  try {
    return { tool: readOfferedTool(given, hide) };
  } catch (error) {
    return { problem: oneLine(hide(error instanceof Error ? error.message : String(error))).replace(/\.$/, '') };
  }
}
