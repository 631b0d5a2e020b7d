/** Something that whoever typed the command can put right. */
export class CliError extends Error {
  /** What the command ends with. */
  readonly exitCode: number;

  constructor(
    /** Stable, snake_case. */
    readonly code: string,
    message: string,
    /** What to do about it. */
    readonly remedy: string,
    { exitCode = 1, ...options }: ErrorOptions & { readonly exitCode?: number } = {},
  ) {
    super(message, options);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}
