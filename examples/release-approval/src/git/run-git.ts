import { devNull } from 'node:os';
import { simpleGit, GitError } from 'simple-git';

/** Thrown if git ends with an error. */
export class GitFailure extends Error {}
/** Thrown if git was stopped because its output exceeds the limit. */
export class GitOutputTooLarge extends Error {}
/** Thrown if git was stopped because it exceeded the time limit. */
export class GitTimeout extends Error {}

export interface GitLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the complete environment of the git process. The configuration of a repository is not trusted, because it
 * could name programs to run. The home folder is kept, because its git configuration defines which repositories of
 * other users git may read (`safe.directory`).
 */
function buildEnvironment(folder: { readonly ceiling: string }): Record<string, string> {
  const inheritedNames = ['PATH', 'HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'SystemRoot', 'TEMP', 'TMP'];
  return {
    ...Object.fromEntries(
      inheritedNames.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // Prevents a partial clone from fetching missing objects, because its configuration chooses the location and the
    // program.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    // Replacement objects would show a history that differs from the released one.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_CEILING_DIRECTORIES: folder.ceiling,
  };
}

/**
 * Runs git in a folder and returns its raw output. Arguments are passed to the process unchanged, without a shell.
 *
 * @throws {GitFailure} if git ends with an error
 * @throws {GitOutputTooLarge} if the output exceeds `maxBytes`
 * @throws {GitTimeout} if git takes longer than `timeoutMs`
 * @throws the reason of the signal if it is aborted
 */
export async function runGit(
  folder: { readonly path: string; readonly ceiling: string },
  args: readonly string[],
  { timeoutMs, maxBytes, signal }: GitLimits,
): Promise<Buffer> {
  signal.throwIfAborted();
  const outputLimit = new AbortController();
  const timeout = AbortSignal.timeout(timeoutMs);
  const env = buildEnvironment(folder);
  const chunks: Buffer[] = [];
  let size = 0;
  const git = simpleGit({
    baseDir: folder.path,
    abort: AbortSignal.any([signal, timeout, outputLimit.signal]),
    completion: { onClose: true, onExit: false },
    allowEnvironment: Object.keys(env).filter((name) => name.startsWith('GIT_')),
    config: [`core.hooksPath=${devNull}`, 'core.fsmonitor=false', 'core.quotePath=false'],
    // simple-git refuses to set `core.hooksPath` and `core.fsmonitor` by default. Here both are set to safe values.
    unsafe: { allowUnsafeHooksPath: true, allowUnsafeFsMonitor: true },
    errors: (error, { exitCode, stdErr }) =>
      exitCode === 0 ? error : (error ?? Buffer.concat([...stdErr, Buffer.from(`git exited with code ${exitCode}`)])),
  })
    .env(env)
    .outputHandler((_command, stdout) => {
      stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxBytes) chunks.push(chunk);
        else outputLimit.abort();
      });
    });
  try {
    await git.raw([...args]);
    return Buffer.concat(chunks);
  } catch (error) {
    signal.throwIfAborted();
    const options = { cause: error };
    if (outputLimit.signal.aborted)
      throw new GitOutputTooLarge(`The output of git exceeds ${maxBytes} bytes.`, options);
    if (timeout.aborted) throw new GitTimeout(`git took longer than ${timeoutMs} ms.`, options);
    throw new GitFailure(error instanceof GitError ? error.message.trim() : String(error), options);
  }
}
