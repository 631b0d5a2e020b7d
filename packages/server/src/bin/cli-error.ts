import { CountersignError } from '@countersign/core';

/** Something that whoever typed the command can put right. */
export class CliError extends CountersignError {
  /** What the command ends with. */
  readonly exitCode: number;

  constructor(
    code: string,
    message: string,
    /** What to do about it. */
    readonly remedy: string,
    { exitCode = 1, ...options }: ErrorOptions & { readonly exitCode?: number } = {},
  ) {
    super(code, message, {}, options);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}
