import { CountersignError } from '../../errors/countersign-error.js';
import type { ToolPinPort } from '../../ports/agent-catalogue.js';

/** On a server without tools of others nothing is pinned. */
export const NO_PINS: ToolPinPort = Object.freeze({
  list: async () => [],
  accept: async (name: string) => {
    throw new CountersignError('tool_not_found', `No source offers a tool "${name}".`);
  },
});
