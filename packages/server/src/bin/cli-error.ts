import { CountersignError } from '@countersign/core';

/** Something that whoever typed the command can put right. */
export class CliError extends CountersignError {
  constructor(
    code: string,
    message: string,
    /** What to do about it. */
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(code, message, {}, options);
    this.name = 'CliError';
  }
}
