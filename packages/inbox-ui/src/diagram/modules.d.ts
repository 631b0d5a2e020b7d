declare module 'bpmn-moddle' {
  export class BpmnModdle {
    fromXML(
      xml: string,
      typeName: string,
      options: object,
    ): Promise<{ readonly rootElement: object; readonly elementsById: Readonly<Record<string, object>> }>;
  }
}
