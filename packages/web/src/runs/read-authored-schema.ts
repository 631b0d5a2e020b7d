const BPMN_NAMESPACE = 'http://www.omg.org/spec/BPMN/20100524/MODEL';

/**
 * Returns the input schema from the BPMN model, with its fields in the author's order. The API returns the schema from
 * the database, which does not keep that order. The file is parsed as XML, so scripts in it do not run.
 */
export function readAuthoredSchema(bpmnXml: string, workflowId: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const model = new DOMParser().parseFromString(bpmnXml, 'application/xml');
    const process = [...model.getElementsByTagNameNS(BPMN_NAMESPACE, 'process')].find(
      (each) => each.getAttribute('id') === workflowId,
    );
    // Only the extension elements of the process: a step may have a property of that name too.
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
