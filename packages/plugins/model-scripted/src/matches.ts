import { canonicalJson } from '@countersign/model';
import { sameTool, type Conversation } from './conversation.js';
import type { When } from './script.js';

/** Returns whether all conditions of a rule are met. */
export function matches(when: When, conversation: Conversation): boolean {
  const { turn, newest } = conversation;
  const hold = (texts: readonly string[] | undefined, shown: readonly string[]) =>
    texts === undefined || texts.every((text) => shown.some((one) => one.includes(text)));
  return (
    (when.turn === undefined || when.turn === turn) &&
    (when.lastTool === undefined || newest.some(({ tool }) => sameTool(tool, when.lastTool ?? ''))) &&
    (when.isError === undefined || newest.some(({ isError }) => isError) === when.isError) &&
    hold(when.contains, conversation.prompts()) &&
    hold(
      when.resultContains,
      newest.map(({ content }) => content),
    ) &&
    Object.entries(when.equals ?? {}).every(([place, value]) => {
      const there = conversation.at(place);
      return there !== undefined && canonicalJson(there) === canonicalJson(value);
    })
  );
}
