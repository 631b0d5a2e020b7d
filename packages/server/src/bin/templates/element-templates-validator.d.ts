// @bpmn-io/element-templates-validator ships no types.
declare module '@bpmn-io/element-templates-validator' {
  export function validateZeebe(template: unknown): {
    readonly valid: boolean;
    readonly errors?: readonly { readonly message: string; readonly instancePath?: string }[];
  };
}
