import type { JsonObject } from '@countersign/core/plugin';
import { toolName, type McpServerConfiguration } from './configuration.js';
import { readOfferedTool, type OfferedTool } from './offered-tool.js';
import { oneLine } from './visible-text.js';

/** What a server offers under the name of an allowed tool: a tool, or something that can't be used. */
export interface Offer {
  readonly tool?: OfferedTool;
  readonly problem?: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** The offers of a server by the names of agents. What is not allowed is not looked at. */
export function readOffers(
  { Name, AllowedTools }: McpServerConfiguration,
  listed: readonly JsonObject[],
  now: number,
): ReadonlyMap<string, Offer> {
  const offers = new Map<string, Offer>();
  for (const allowed of AllowedTools) {
    const [first, ...more] = listed.filter(({ name }) => name === allowed.Name);
    if (first === undefined) continue;
    // Which of them a call would be for, nobody knows.
    const offer = more.length > 0 ? { problem: 'its server lists several tools of this name' } : read(first);
    offers.set(toolName(Name, allowed.Name), { ...offer, since: now });
  }
  return offers;
}

function read(given: JsonObject): Omit<Offer, 'since'> {
  try {
    return { tool: readOfferedTool(given) };
  } catch (error) {
    return { problem: oneLine(error instanceof Error ? error.message : String(error)).replace(/\.$/, '') };
  }
}
