import type { Problems } from './problems.js';

/** What every part of the compiler has at hand. */
export interface CompileContext {
  readonly problems: Problems;
  /** Result variables of all user tasks: names that only decisions may write. */
  readonly resultVariables: ReadonlySet<string>;
}
