const FLOW = String.raw`<bpmn:sequenceFlow\b[^>]*?(?:/>|>(?:<bpmn:conditionExpression\b[^>]*>[^<]*</bpmn:conditionExpression>)?</bpmn:sequenceFlow>)`;
/** Sequence flows that stand together. */
const FLOWS = new RegExp(`(?:${FLOW}\\s*){2,}`, 'g');

/**
 * Turns the sequence flows of each scope round. Zeebe 8.6.0 takes flows in the reverse order of the file (its documentation
 * says: in the order of the file, as BPMN wants it), whatever order `<outgoing>` gives. Without this nearly every model with
 * two branches would differ by it alone, and hide whatever else differs.
 */
export function turnFlows(bpmnXml: string): string {
  return bpmnXml.replace(FLOWS, (run) => `${[...(run.match(new RegExp(FLOW, 'g')) ?? [])].reverse().join('\n')}\n`);
}
