// bpmn-moddle ships types of the metamodel, but not of its API.
declare module 'bpmn-moddle' {
  export class BpmnModdle {
    constructor(packages: object);
    fromXML(
      xml: string,
      typeName: string,
      options: object,
    ): Promise<{
      readonly rootElement: unknown;
      readonly references: readonly unknown[];
      readonly warnings: readonly unknown[];
    }>;
  }
}
