import type { ToolPin } from '@countersign/core/plugin';
import type { StoredToolPin } from '@countersign/core/ports';
import type { ListedTool } from './read-listed-tools.js';

/** What is known of a tool that is allowed. */
export interface KnownTool {
  /** The digest that the configuration says, or nothing. */
  readonly configured: string;
  /** What was accepted. */
  readonly pin: StoredToolPin | undefined;
  /** Whether its server has told its tools, so that one that is not among them is none. */
  readonly hasAnswered: boolean;
  /** Why its server can't be called. */
  readonly problem: string | undefined;
  readonly offer: ListedTool | undefined;
}

/**
 * Why agents can't have a tool; `null`: they can. A stop that is recorded comes first: it holds whatever the server says now.
 *
 * @param now since when, where nothing else says it; milliseconds since the epoch
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
    return ['tool_not_accepted', 'It is not what its Digest in the configuration says that it must be.'];
  if (offer?.problem !== undefined) return ['tool_unusable', `It can't be used: ${offer.problem}.`];
  if (hasAnswered && offer === undefined) return ['tool_gone', 'Its server does not offer it.'];
  if (pin === undefined)
    return [
      'tool_not_seen',
      problem === undefined ? 'Its server has not answered yet.' : `Its server has not listed it yet. ${problem}`,
    ];
  if (offer?.tool !== undefined && offer.tool.digest !== pin.digest)
    return ['tool_changed', 'Its server says something else of it than what was accepted.'];
  return undefined;
}
