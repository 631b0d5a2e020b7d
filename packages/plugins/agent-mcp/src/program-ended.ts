/** Thrown when a program was ended because of its output. */
export class ProgramEnded extends Error {
  readonly code = 'mcp_output_exceeded';

  /** @param reason a clause that completes "It was ended because …" */
  constructor(reason: string) {
    super(`It was ended because ${reason}.`);
    this.name = 'ProgramEnded';
  }
}

/** Thrown when a program has ended on its own. */
export class ProgramExit extends Error {}
