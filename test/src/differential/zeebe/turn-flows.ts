/** Sequence flows that stand together. */
const FLOWS = /(?:<bpmn:sequenceFlow\b(?:[^>]*\/>|.*?<\/bpmn:sequenceFlow>)\s*){2,}/gs;
const FLOW = /<bpmn:sequenceFlow\b(?:[^>]*\/>|.*?<\/bpmn:sequenceFlow>)/gs;

/**
 * Turns the sequence flows of each scope round. Zeebe 8.6.0 takes flows in the reverse order of the file (its documentation
 * says: in the order of the file, as BPMN wants it), whatever order `<outgoing>` gives. Without this nearly every model with
 * two branches would differ by it alone, and hide whatever else differs.
 */
export function turnFlows(bpmnXml: string): string {
  return bpmnXml.replace(FLOWS, (run) => `${[...(run.match(FLOW) ?? [])].reverse().join('\n')}\n`);
}
