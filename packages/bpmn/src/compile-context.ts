import type { Problems } from './problems.js';

/** Context for the checks of a whole file. */
export interface FileContext {
  readonly problems: Problems;
  /** Whether the file was deployed before: length limits that were introduced later do not apply to it. */
  readonly isDeployed?: boolean;
}

/** Context for the compilation of one process of the file. */
export interface CompileContext extends FileContext {
  /** Result variables of all user tasks: names that only approval decisions may write. */
  readonly resultVariables: ReadonlySet<string>;
  /** Ids of the executable processes of the same file. */
  readonly processIds: ReadonlySet<string>;
  /** Whether the file declares FEEL as its expression language, so that expressions need no leading `=`. */
  readonly isFeelDefault: boolean;
  /** Names of the lanes that contain an element, by its id: one for each lane set. */
  readonly lanes: ReadonlyMap<string, readonly string[]>;
}
