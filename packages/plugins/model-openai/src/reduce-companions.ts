import type { Json, JsonObject } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { readCompanions } from './companions.js';
import { omitMembers } from './refused-members.js';

/** Members of a message that contain the full reasoning. */
const REASONING_MEMBERS: ReadonlySet<string> = new Set(['reasoning', 'reasoning_details', 'thinking_blocks']);

/**
 * Returns the companions of older turns that APIs still require: signatures (Gemini checks those of all calls since the
 * last user message) and the presence of `reasoning_content` (DeepSeek).
 */
export function reduceCompanions(opaque: Json, provider: string): Json {
  const companions = readCompanions(opaque, provider);
  if (companions === undefined) return null;
  const { message, calls } = companions;
  const keptMembers = omitMembers(message, REASONING_MEMBERS);
  const signatures = findSignatures(message['reasoning_details']);
  return {
    provider,
    message: {
      ...keptMembers,
      ...('reasoning_content' in keptMembers ? { reasoning_content: '' } : {}),
      ...(signatures.length === 0 ? {} : { reasoning_details: signatures }),
    },
    parts: [],
    calls,
  };
}

/** Returns the entries of OpenRouter's `reasoning_details` that serve as signatures. */
function findSignatures(details: Json | undefined): JsonObject[] {
  if (!Array.isArray(details)) return [];
  return details.filter((detail) => isJsonObject(detail)).filter(({ type }) => type === 'reasoning.encrypted');
}
