/** Thrown when this server has terminated a program because it exceeded a limit. */
export class ProgramTerminatedError extends Error {
  readonly code = 'mcp_output_exceeded';

  /** @param reason a clause that completes "Its program was stopped because …" */
  constructor(reason: string) {
    super(`Its program was stopped because ${reason}.`);
    this.name = 'ProgramTerminatedError';
  }
}

/** Thrown when a program has ended on its own. */
export class ProgramExitError extends Error {}
