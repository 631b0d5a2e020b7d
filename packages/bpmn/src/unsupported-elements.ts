import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './scope-draft.js';

/** Descriptions of BPMN flow nodes that this version does not execute. */
const ELEMENT_LABELS: ReadonlyMap<string, string> = new Map([
  ['implicitThrowEvent', 'An implicit throw event'],
  ['choreographyTask', 'A choreography task'],
  ['callChoreography', 'A call choreography'],
  ['subChoreography', 'A sub-choreography'],
]);

/** Records the problem that a flow node is not supported. The content of the node is not checked. */
export function reportUnsupportedElement(context: CompileContext, draft: NodeDraft): undefined {
  const label = ELEMENT_LABELS.get(draft.type) ?? `The element ${draft.type}`;
  context.problems.add(draft.id, 'unsupported_element', `${label} is not supported in this version.`);
  return undefined;
}
