import type { Problems } from '../problems.js';

/** Context shared by all parts of the compiler. */
export interface CompileContext {
  readonly problems: Problems;
  /** The expression language of the file, if its root declares one. */
  readonly expressionLanguage: string | undefined;
}

/** Location of an error: the id of an element, and a description of the location within it. */
export interface SourceLocation {
  readonly elementId: string;
  readonly label: string;
}
