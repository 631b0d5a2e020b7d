import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { inject, injectable } from 'inversify';
import { TerminalFailure } from '@countersign/core/plugin';
import { ReleaseApprovalConfig } from '../config.js';
import { Repository } from './repository.js';

/** Opens repositories, but only those that lie under the configured folders, with all that they consist of. */
@injectable()
export class RepositoryAccess {
  constructor(@inject(ReleaseApprovalConfig) private readonly config: ReleaseApprovalConfig) {}

  /** @throws {TerminalFailure} where the path may not be read, or is no repository */
  async open(path: string, signal: AbortSignal): Promise<Repository> {
    const roots = await this.#roots();
    assertPlainAbsolutePath(path);
    // Before anything on the disk is looked at, so that the answer does not tell what there is outside.
    if (![...roots.configured, ...roots.real].some((root) => contains(root, normalize(path))))
      throw createNotAllowedFailure(path);
    const real = await resolveFolder(path);
    if (!roots.real.some((root) => contains(root, real))) throw createNotAllowedFailure(path);
    const repository = new Repository(real, dirname(real), this.config.gitTimeoutMs, signal);
    await assertPartsInside(repository, roots.real);
    return repository;
  }

  async #roots(): Promise<{ readonly configured: readonly string[]; readonly real: readonly string[] }> {
    const configured = this.config.repositoryRoots.map((root) => resolve(root));
    if (configured.length === 0) {
      throw new TerminalFailure(
        'repository_roots_missing',
        'No repository folder is configured. Set Examples:ReleaseApproval:RepositoryRoots to a list of folders.',
      );
    }
    const existingRoots = await Promise.all(configured.map((root) => realpath(root).catch(() => undefined)));
    return { configured, real: existingRoots.filter((root) => root !== undefined) };
  }
}

function assertPlainAbsolutePath(path: string): void {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (!isAbsolute(path) || /[\u0000-\u001f\u007f]/.test(path) || path.split(/[\\/]/).includes('..')) {
    throw new TerminalFailure(
      'repository_invalid',
      'The repository must be an absolute path without ".." or control characters.',
    );
  }
}

function contains(root: string, path: string): boolean {
  const relativePath = relative(root, path);
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}

async function resolveFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw new TerminalFailure('repository_not_found', `The folder "${path}" does not exist or cannot be read.`, {
      cause: error,
    });
  }
  throw new TerminalFailure('repository_not_found', `"${path}" is not a folder.`);
}

/**
 * A repository may consist of parts elsewhere: its git folder (a work tree's `.git` file or a link), its objects, and
 * the object stores that it borrows from. All have to lie under the configured folders.
 */
async function assertPartsInside(repository: Repository, roots: readonly string[]): Promise<void> {
  const output = await repository.text([
    'rev-parse',
    '--path-format=absolute',
    '--absolute-git-dir',
    '--git-common-dir',
    '--git-path',
    'objects',
  ]);
  const parts = output.split('\n');
  if (parts.length !== 3) throw createNotAllowedFailure(repository.path);
  const objects = parts[2] ?? '';
  for (const part of [...parts, ...(await readAlternates(objects))]) {
    const real = await resolveFolder(part);
    if (!roots.some((root) => contains(root, real))) throw createNotAllowedFailure(repository.path);
  }
}

/** Paths in `objects/info/alternates`, one a line, relative ones to the object store (gitrepository-layout(5)). */
async function readAlternates(objects: string): Promise<readonly string[]> {
  const text = await readFile(join(objects, 'info', 'alternates'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => resolve(objects, line));
}

function createNotAllowedFailure(path: string): TerminalFailure {
  const message = `"${path}", or a part of its repository, is outside the folders in Examples:ReleaseApproval:RepositoryRoots.`;
  return new TerminalFailure('repository_not_allowed', message);
}
