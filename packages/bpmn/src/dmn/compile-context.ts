import type { Problems } from '../problems.js';

/** What every part of the compiler has at hand. */
export interface CompileContext {
  readonly problems: Problems;
  /** The expression language of the file, where its root names one. */
  readonly expressionLanguage: string | undefined;
}

/** Where a fault is: an element that the author can find, and words for the place in it. */
export interface Place {
  readonly elementId: string;
  readonly words: string;
}
