import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './draft-scope.js';

/** Flow nodes of BPMN that this version does not execute, in words. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['implicitThrowEvent', 'An implicit throw event'],
  ['choreographyTask', 'A choreography task'],
  ['callChoreography', 'A call choreography'],
  ['subChoreography', 'A sub-choreography'],
]);

/** Records that a flow node is not executed. What is inside of it is not looked at. */
export function refuseNode(context: CompileContext, draft: NodeDraft): undefined {
  const words = WORDS.get(draft.type) ?? `The element ${draft.type}`;
  context.problems.add(draft.id, 'unsupported_element', `${words} is not executed by this version.`);
  return undefined;
}
