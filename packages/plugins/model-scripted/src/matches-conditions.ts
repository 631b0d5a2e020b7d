import { canonicalJson } from '@countersign/model';
import { isSameTool, type Conversation } from './conversation.js';
import type { Conditions } from './script.js';

/** Returns whether all conditions of a rule are met. */
export function matchesConditions(when: Conditions, conversation: Conversation): boolean {
  const { turn, lastResults } = conversation;
  const containAll = (texts: readonly string[] | undefined, candidates: readonly string[]) =>
    texts === undefined || texts.every((text) => candidates.some((candidate) => candidate.includes(text)));
  return (
    (when.turn === undefined || when.turn === turn) &&
    (when.lastTool === undefined || lastResults.some(({ tool }) => isSameTool(tool, when.lastTool ?? ''))) &&
    (when.isError === undefined || lastResults.some(({ isError }) => isError) === when.isError) &&
    containAll(when.contains, conversation.listPrompts()) &&
    containAll(
      when.resultContains,
      lastResults.map(({ content }) => content),
    ) &&
    Object.entries(when.equals ?? {}).every(([reference, value]) => {
      const actual = conversation.valueAt(reference);
      return actual !== undefined && canonicalJson(actual) === canonicalJson(value);
    })
  );
}
