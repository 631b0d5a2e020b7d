import type { ToolPin } from '@countersign/core/plugin';
import type { StoredToolPin } from '@countersign/core/ports';
import type { ListedTool } from './read-listed-tools.js';

/** The facts about an allowed tool. */
export interface KnownTool {
  /** The digest in the configuration, or an empty string. */
  readonly configured: string;
  /** The accepted form of the tool. */
  readonly pin: StoredToolPin | undefined;
  /** Whether the server has listed its tools, so that a tool that is not listed does not exist. */
  readonly hasAnswered: boolean;
  /** Why the server cannot be called. */
  readonly problem: string | undefined;
  readonly offer: ListedTool | undefined;
}

/**
 * Returns why agents cannot call a tool; `null` if they can. A recorded stop comes first, regardless of the current
 * offer.
 *
 * @param now default for the start of the stop, in milliseconds since the epoch
 */
export function stopReason(known: KnownTool, now: number): ToolPin['stopped'] {
  const { pin, offer } = known;
  if (pin !== undefined && pin.stopped !== null)
    return { code: pin.stopped.code, message: pin.stopped.message, since: pin.stopped.at };
  const because = reason(known);
  return because === undefined ? null : { code: because[0], message: because[1], since: offer?.since ?? now };
}

function reason({
  configured,
  pin,
  hasAnswered,
  problem,
  offer,
}: KnownTool): readonly [code: string, message: string] | undefined {
  if (configured !== '' && pin?.digest !== configured)
    return ['tool_not_accepted', 'The tool does not have the Digest that the configuration requires.'];
  if (offer?.problem !== undefined) return ['tool_unusable', `The tool cannot be used: ${offer.problem}.`];
  if (hasAnswered && offer === undefined) return ['tool_gone', 'The MCP server does not offer the tool.'];
  if (pin === undefined)
    return [
      'tool_not_seen',
      problem === undefined
        ? 'The MCP server has not responded yet.'
        : `The MCP server has not listed the tool yet. ${problem}`,
    ];
  if (offer?.tool !== undefined && offer.tool.digest !== pin.digest)
    return ['tool_changed', 'The definition of the tool differs from the accepted one.'];
  return undefined;
}
