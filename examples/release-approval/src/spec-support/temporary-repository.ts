import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RepositoryAccess } from '../git/repository-access.js';

/** Temporary folder for tests, deleted by `remove`. */
export class TemporaryFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'release-approval-')));

  write(name: string, content: string | Buffer): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** Writes a program that appends its command line to `markFile` when it runs. Returns its path. */
  writeTrap(markFile: string): string {
    const path = this.write('trap.sh', `#!/bin/sh\necho "$0 $*" >> '${markFile}'\n`);
    chmodSync(path, 0o755);
    return path;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Git repository, created with the git executable. Commit times are fixed, so that equal commits have equal ids. */
export class TemporaryRepository {
  readonly path: string;
  #time = 1_700_000_000;

  constructor(
    private readonly folder: TemporaryFolder,
    private readonly name = 'repository',
  ) {
    this.path = join(folder.path, name);
    mkdirSync(this.path, { recursive: true });
    this.git('init', '--quiet', '--initial-branch=main');
  }

  git(...args: string[]): string {
    this.#time += 60;
    const env = {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      GIT_AUTHOR_NAME: 'Ann Author',
      GIT_AUTHOR_EMAIL: 'ann@example.org',
      GIT_AUTHOR_DATE: `${this.#time} +0200`,
      GIT_COMMITTER_NAME: 'Carl Committer',
      GIT_COMMITTER_EMAIL: 'carl@example.org',
      GIT_COMMITTER_DATE: `${this.#time} +0200`,
    };
    return execFileSync('git', args, {
      cwd: this.path,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  }

  write(name: string, content: string | Buffer): void {
    this.folder.write(join(this.name, name), content);
  }

  /** Writes files and commits them with all other changes. Returns the id of the commit. */
  commit(message: string, files: Readonly<Record<string, string | Buffer>> = {}): string {
    for (const [name, content] of Object.entries(files)) this.write(name, content);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--cleanup=verbatim', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }
}

/** Creates access to the repositories in the given folders. */
export function createRepositoryAccess(...repositoryRoots: string[]): RepositoryAccess {
  return new RepositoryAccess({ repositoryRoots, gitTimeoutMs: 20_000, maxCommits: 1000, maxDiffBytes: 1_000_000 });
}

export const neverAborted: AbortSignal = new AbortController().signal;

/** Returns name, code and message of the error with which a promise rejects. */
export async function captureError(
  work: Promise<unknown>,
): Promise<{ readonly name: string; readonly code: string; readonly message: string }> {
  try {
    await work;
  } catch (error) {
    const { name, message, code } = error as Error & { code?: string };
    return { name, message, code: code ?? '' };
  }
  throw new Error('Expected the promise to reject, but it resolved.');
}
