import type { Problems } from './problems.js';

/** What is at hand where a file is judged as a whole. */
export interface FileContext {
  readonly problems: Problems;
  /** Whether the file was deployed before: limits of lengths that came later do not concern it. */
  readonly isDeployed?: boolean;
}

/** What is at hand where one of its processes is compiled. */
export interface CompileContext extends FileContext {
  /** Result variables of all user tasks: names that only decisions may write. */
  readonly resultVariables: ReadonlySet<string>;
  /** Ids of the executable processes of the same file. */
  readonly processIds: ReadonlySet<string>;
  /** Whether the file names FEEL as the language of its expressions, so that they need no leading `=`. */
  readonly speaksFeel: boolean;
  /** Names of the lanes in which an element stands, by its id: one for each set of lanes. */
  readonly lanes: ReadonlyMap<string, readonly string[]>;
}
