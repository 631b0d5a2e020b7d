import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { companionsOf } from './companions.js';
import { without } from './refused-members.js';

/** Members of a message that hold what the model said to itself, in full. */
const REASONING: ReadonlySet<string> = new Set(['reasoning', 'reasoning_details', 'thinking_blocks']);

/**
 * What an API still insists on of companions of older turns: signatures (Gemini checks those of all calls since the last message
 * of a person), and that there is `reasoning_content` at all (DeepSeek).
 */
export function reducedCompanions(opaque: Json, provider: string): Json {
  const companions = companionsOf(opaque, provider);
  if (companions === undefined) return null;
  const { message, calls } = companions;
  const kept = without(message, REASONING);
  const signatures = signaturesIn(message['reasoning_details']);
  return {
    provider,
    message: {
      ...kept,
      ...('reasoning_content' in kept ? { reasoning_content: '' } : {}),
      ...(signatures.length === 0 ? {} : { reasoning_details: signatures }),
    },
    parts: [],
    calls,
  };
}

/** Of details of OpenRouter. */
function signaturesIn(details: Json | undefined): JsonObject[] {
  if (!Array.isArray(details)) return [];
  return details.filter((detail) => isJsonObject(detail)).filter(({ type }) => type === 'reasoning.encrypted');
}
