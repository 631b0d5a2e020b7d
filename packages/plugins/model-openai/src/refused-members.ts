import { isModelError, type ModelRequest } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { readCompanions } from './companions.js';

/** Entry in a set of refused members that stands for content parts with reasoning. */
export const THINKING_PARTS = 'thinking';

const REFUSAL_PATTERN =
  /\b(?:unsupported|un(?:known|expected|recognized)|not (?:supported|permitted|allowed|accepted)|extra (?:inputs?|fields?))\b/i;

/**
 * Companions of earlier turns that an API sends but refuses to accept: Cerebras sent `reasoning_content` and refused
 * it, Groq `reasoning`. Companions are sent until the API refuses them for a model, because other APIs refuse requests
 * without them.
 */
export class RefusedMembers {
  private readonly byModel = new Map<string, ReadonlySet<string>>();

  getRefusedMembers({ model }: ModelRequest): ReadonlySet<string> {
    return this.byModel.get(model) ?? new Set();
  }

  /**
   * Records the members that the API refuses, if the error states them.
   *
   * @param refused members that were already left out of the failed request
   * @returns whether the request is now different
   */
  recordRefusal(error: unknown, request: ModelRequest, provider: string, refused: ReadonlySet<string>): boolean {
    if (!isModelError(error) || error.code !== 'model_request_refused' || !REFUSAL_PATTERN.test(error.message))
      return false;
    const words = new Set(error.message.match(/\w+/g));
    const newlyRefused = listSentMembers(request, provider).filter((name) => !refused.has(name) && words.has(name));
    if (newlyRefused.length === 0) return false;
    this.byModel.set(request.model, new Set([...this.getRefusedMembers(request), ...newlyRefused]));
    return true;
  }
}

function listSentMembers({ messages }: ModelRequest, provider: string): readonly string[] {
  const names = messages.flatMap((message) => {
    const companions = message.role === 'assistant' ? readCompanions(message.opaque, provider) : undefined;
    if (companions === undefined) return [];
    const { message: members, parts = [], calls } = companions;
    return [
      ...Object.keys(members),
      ...(parts.length === 0 ? [] : [THINKING_PARTS]),
      ...Object.values(calls).flatMap(({ id: _, function: functionMembers, ...callMembers }) => [
        ...Object.keys(callMembers),
        ...(isJsonObject(functionMembers) ? Object.keys(functionMembers) : []),
      ]),
    ];
  });
  return [...new Set(names)];
}

export function omitMembers<T>(members: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name)));
}
