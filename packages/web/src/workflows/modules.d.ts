declare module 'bpmn-js-differ' {
  /** Compares two moddle trees; the keys are ids of elements. */
  export function diff(before: object, after: object): { readonly _layoutChanged: Readonly<Record<string, object>> };
}
