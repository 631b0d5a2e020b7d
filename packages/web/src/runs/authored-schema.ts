const BPMN = 'http://www.omg.org/spec/BPMN/20100524/MODEL';

/**
 * The input schema as it stands in the model, with its fields in the order in which their author wrote them: what the API
 * answers comes from the database, which does not keep that order. Parsed as XML, never as a page: nothing of it runs.
 */
export function authoredSchema(bpmnXml: string, workflowId: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const model = new DOMParser().parseFromString(bpmnXml, 'application/xml');
    const process = [...model.getElementsByTagNameNS(BPMN, 'process')].find(
      (each) => each.getAttribute('id') === workflowId,
    );
    // Its own extension elements alone: a step in it may have a property of that name too.
    const extensions = [...(process?.children ?? [])].find(({ localName }) => localName === 'extensionElements');
    const property = [...(extensions?.getElementsByTagName('*') ?? [])].find(
      (each) => each.localName === 'property' && each.getAttribute('name') === 'inputSchema',
    );
    const schema = JSON.parse(property?.getAttribute('value') ?? 'null') as unknown;
    return typeof schema === 'object' && schema !== null ? (schema as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
