import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { inject, injectable } from 'inversify';
import { TerminalFailure } from '@countersign/core/plugin';
import { ReleaseApprovalConfig } from '../config.js';
import { Repository } from './repository.js';

/** Opens repositories that are, with all their parts, inside the configured folders. */
@injectable()
export class RepositoryAccess {
  constructor(@inject(ReleaseApprovalConfig) private readonly config: ReleaseApprovalConfig) {}

  /** @throws {TerminalFailure} if access to the path is not allowed, or if the path is not a repository */
  async open(path: string, signal: AbortSignal): Promise<Repository> {
    const roots = await this.#resolveRoots();
    assertPlainAbsolutePath(path);
    // Checked before the path is accessed on disk, so that the error does not reveal whether a path outside exists.
    if (![...roots.configured, ...roots.real].some((root) => contains(root, normalize(path))))
      throw createNotAllowedFailure(path);
    const realPath = await resolveFolder(path);
    if (!roots.real.some((root) => contains(root, realPath))) throw createNotAllowedFailure(path);
    const repository = new Repository(realPath, dirname(realPath), this.config.gitTimeoutMs, signal);
    await assertPartsInside(repository, roots.real);
    return repository;
  }

  async #resolveRoots(): Promise<{ readonly configured: readonly string[]; readonly real: readonly string[] }> {
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
  // eslint-disable-next-line no-control-regex -- the pattern must match control characters
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
    const realPath = await realpath(path);
    if ((await stat(realPath)).isDirectory()) return realPath;
  } catch (error) {
    throw new TerminalFailure('repository_not_found', `The folder "${path}" does not exist or cannot be read.`, {
      cause: error,
    });
  }
  throw new TerminalFailure('repository_not_found', `"${path}" is not a folder.`);
}

/**
 * Requires all parts of a repository to be inside the configured folders. These parts can be stored outside the
 * repository: its git folder (through the `.git` file of a work tree, or a link), its objects, and the object stores
 * that it borrows from.
 */
async function assertPartsInside(repository: Repository, roots: readonly string[]): Promise<void> {
  const output = await repository.gitText([
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
    const realPath = await resolveFolder(part);
    if (!roots.some((root) => contains(root, realPath))) throw createNotAllowedFailure(repository.path);
  }
}

/**
 * Returns the paths in `objects/info/alternates`, which has one path per line. Relative paths are relative to the
 * object store (see gitrepository-layout(5)).
 */
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
