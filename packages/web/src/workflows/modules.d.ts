declare module 'bpmn-js-differ' {
  /** Compares two moddle trees; the keys are ids of elements. */
  export function diff(before: object, after: object): { readonly _layoutChanged: Readonly<Record<string, object>> };
}

declare module 'bpmn-moddle' {
  export class BpmnModdle {
    fromXML(
      xml: string,
    ): Promise<{ readonly rootElement: object; readonly elementsById: Readonly<Record<string, object>> }>;
  }
}
