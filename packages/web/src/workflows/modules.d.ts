declare module 'bpmn-js-differ' {
  /** Compares two moddle trees. The keys of the result are element ids. */
  export function diff(before: object, after: object): { readonly _layoutChanged: Readonly<Record<string, object>> };
}
