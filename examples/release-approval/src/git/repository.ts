import { RetryableFailure, TerminalFailure } from '@countersign/core/plugin';
import { GitFailure, GitOutputTooLarge, GitTimeout, runGit } from './run-git.js';

const MAX_BYTES = 10_000_000;

/** Read-only access to a git repository. */
export class Repository {
  constructor(
    /** Real path of the top folder of the repository. */
    readonly path: string,
    private readonly ceiling: string,
    private readonly timeoutMs: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Runs git. Converts errors to job failures with messages for the operator of the server. */
  async git(args: readonly string[], maxBytes = MAX_BYTES): Promise<Buffer> {
    const folder = { path: this.path, ceiling: this.ceiling };
    try {
      return await runGit(folder, args, { timeoutMs: this.timeoutMs, maxBytes, signal: this.signal });
    } catch (error) {
      throw this.#toJobFailure(error);
    }
  }

  async gitText(args: readonly string[]): Promise<string> {
    return (await this.git(args)).toString('utf8').trimEnd();
  }

  #toJobFailure(error: unknown): unknown {
    const options = { cause: error };
    if (error instanceof GitOutputTooLarge) return new TerminalFailure('git_output_too_large', error.message, options);
    if (error instanceof GitTimeout) return new RetryableFailure('git_timeout', error.message, undefined, options);
    if (!(error instanceof GitFailure)) return error;
    const [line = ''] = error.message.split('\n');
    if (error.message.includes('dubious ownership')) {
      const message =
        `git refuses to read "${this.path}", because the folder belongs to a different user than the server process. ` +
        `If you trust the folder, run: git config --global --add safe.directory '${this.path}'`;
      return new TerminalFailure('repository_not_trusted', message, options);
    }
    if (error.message.includes('not a git repository')) {
      const message = `"${this.path}" is not the top folder of a git repository.`;
      return new TerminalFailure('repository_not_found', message, options);
    }
    if (line.includes('ENOENT')) {
      return new TerminalFailure(
        'git_missing',
        'The command "git" was not found. Install git on the server, and recover the run.',
        options,
      );
    }
    return new RetryableFailure('git_failed', `git: ${line.slice(0, 300)}`, undefined, options);
  }
}
