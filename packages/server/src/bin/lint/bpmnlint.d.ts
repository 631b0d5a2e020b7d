// bpmnlint ships no importable types.
declare module 'bpmnlint' {
  export interface RuleReport {
    readonly id?: string;
    readonly message: string;
    /** The category of the configuration, or `rule-error`. */
    readonly category: string;
    /** Properties that a rule adds to its report. */
    readonly [property: string]: unknown;
  }

  export interface Rule {
    check: (
      node: { readonly $type: string },
      reporter: { report(id: string, message: string, more?: object): void },
    ) => void;
  }

  export type RuleFactory = (config: unknown) => Rule;

  export class Linter {
    constructor(options: {
      readonly config: { readonly rules: Readonly<Record<string, string>> };
      readonly resolver: {
        resolveRule(pkg: string, rule: string): RuleFactory | undefined;
        resolveConfig(pkg: string, config: string): undefined;
      };
    });
    lint(root: unknown): Promise<Readonly<Record<string, readonly RuleReport[]>>>;
  }
}
