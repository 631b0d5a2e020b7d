import { devNull } from 'node:os';
import { simpleGit, GitError } from 'simple-git';

/** git ended with an error. */
export class GitFailure extends Error {}
/** git gave more output than allowed, and was stopped. */
export class GitOutputTooLarge extends Error {}
/** git took longer than allowed, and was stopped. */
export class GitTimeout extends Error {}

export interface GitLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * The whole environment of git. A repository's own configuration is not trusted: it could name programs. The home
 * folder stays, as that is where a person says which repositories of other people git may read (`safe.directory`).
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
    // A partial clone fetches what it lacks from wherever its configuration says, by whatever program. Not here.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    // Replacement objects would show another history than the one that is released.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_CEILING_DIRECTORIES: folder.ceiling,
  };
}

/**
 * Runs git in a folder and gives its raw output. Arguments go to the process as they are, without a shell.
 *
 * @throws {GitFailure} {@link GitOutputTooLarge} {@link GitTimeout} or the signal's reason
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
    // simple-git refuses to set these two at all; here they are set to nothing.
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
