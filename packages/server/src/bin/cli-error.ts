/** Thrown for an error that the user of the command can fix. */
export class CliError extends Error {
  /** Exit code of the command. */
  readonly exitCode: number;

  constructor(
    /** Stable code in snake_case. */
    readonly code: string,
    message: string,
    /** How to fix the error. */
    readonly remedy: string,
    { exitCode = 1, ...options }: ErrorOptions & { readonly exitCode?: number } = {},
  ) {
    super(message, options);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}
