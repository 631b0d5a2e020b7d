declare module 'bpmn-moddle' {
  export class BpmnModdle {
    fromXML(
      xml: string,
    ): Promise<{ readonly rootElement: object; readonly elementsById: Readonly<Record<string, object>> }>;
  }
}
