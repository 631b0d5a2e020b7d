/** A program was ended because of what it wrote. */
export class ProgramEnded extends Error {
  readonly code = 'mcp_output_exceeded';

  /** @param reason a clause that goes on "It was ended because …" */
  constructor(reason: string) {
    super(`It was ended because ${reason}.`);
    this.name = 'ProgramEnded';
  }
}

/** A program has ended by itself. */
export class ProgramExit extends Error {}
