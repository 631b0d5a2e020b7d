import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './draft-scope.js';

/** Descriptions of BPMN flow nodes that this version does not execute. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['implicitThrowEvent', 'An implicit throw event'],
  ['choreographyTask', 'A choreography task'],
  ['callChoreography', 'A call choreography'],
  ['subChoreography', 'A sub-choreography'],
]);

/** Records that a flow node is not executed. Its content is not checked. */
export function refuseNode(context: CompileContext, draft: NodeDraft): undefined {
  const words = WORDS.get(draft.type) ?? `The element ${draft.type}`;
  context.problems.add(draft.id, 'unsupported_element', `${words} is not supported in this version.`);
  return undefined;
}
