import type { ToolPin } from '@countersign/core/plugin';
import type { StoredToolPin } from '@countersign/core/ports';
import type { ToolOffer } from './read-listed-tools.js';

/** The facts about an allowed tool. */
export interface ToolFacts {
  /** The digest in the configuration, or an empty string. */
  readonly configuredDigest: string;
  /** The accepted form of the tool. */
  readonly pin: StoredToolPin | undefined;
  /** Whether the server has listed its tools, so that a tool that is not listed does not exist. */
  readonly hasListedTools: boolean;
  /** Why the server cannot be called. */
  readonly problem: string | undefined;
  readonly offer: ToolOffer | undefined;
}

/**
 * Returns why agents cannot call a tool; `null` if they can. A recorded stop comes first, regardless of the current
 * offer.
 *
 * @param now default for the start of the stop, in milliseconds since the epoch
 */
export function findStopReason(tool: ToolFacts, now: number): ToolPin['stopped'] {
  const { pin, offer } = tool;
  if (pin !== undefined && pin.stopped !== null)
    return { code: pin.stopped.code, message: pin.stopped.message, since: pin.stopped.at };
  const found = findReason(tool);
  return found === undefined ? null : { code: found[0], message: found[1], since: offer?.since ?? now };
}

function findReason({
  configuredDigest,
  pin,
  hasListedTools,
  problem,
  offer,
}: ToolFacts): readonly [code: string, message: string] | undefined {
  if (configuredDigest !== '' && pin?.digest !== configuredDigest)
    return ['tool_not_accepted', 'The tool does not have the Digest that the configuration requires.'];
  if (offer?.problem !== undefined) return ['tool_unusable', `The tool cannot be used: ${offer.problem}.`];
  if (hasListedTools && offer === undefined) return ['tool_gone', 'The MCP server does not offer the tool.'];
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
