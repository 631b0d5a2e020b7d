import { spawn } from 'node:child_process';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecretLocations } from '@countersign/core/plugin';
import type { ProgramStart } from '../stdio-transport.js';

const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_LENGTH = 65_536;
const END_MARKER = 'looked';

/**
 * Script for `sh -c` that tries to open the environment and the memory of a process, and files, and prints those that
 * it could open. For a process, it also prints the start time: in a separate namespace, the same process id may
 * belong to a different process.
 */
const SCRIPT = `
server=$1; shift
for part in environ mem; do
  if ( : < "/proc/$server/$part" ) 2>/dev/null; then read -r stat < "/proc/$server/stat"; echo "$part $stat"; fi
done
for file; do if ( : < "$file" ) 2>/dev/null; then echo "file $file"; fi; done
echo ${END_MARKER}
`;

export type ProbeResult =
  /** Readable secrets; empty if the program could read none. */
  | { readonly readable: readonly string[] }
  /** Why the program could not be started in this way. */
  | { readonly failure: string };

/**
 * Checks whether a program that is started with a wrapper can read secrets of this server, by starting a script that
 * tries.
 *
 * @param wrapCommand returns how to start a program, given its command and arguments
 */
export async function probeSecrets(
  wrapCommand: (command: string, args: readonly string[]) => ProgramStart,
  files: readonly string[],
): Promise<ProbeResult> {
  const { code, output, errors } = await executeProgram(
    wrapCommand('/bin/sh', ['-c', SCRIPT, 'sh', String(process.pid), ...files]),
  );
  const lines = output.split('\n');
  if (!lines.includes(END_MARKER)) return { failure: errors.trim().split('\n').at(-1) || `it ended with code ${code}` };
  const serverStartTime = await readStartTime();
  return {
    readable: lines.flatMap((line) => {
      const [kind = '', ...rest] = line.split(' ');
      if (kind === 'file') return [rest.join(' ')];
      if (kind !== 'environ' && kind !== 'mem') return [];
      return parseStartTime(rest.join(' ')) === serverStartTime
        ? [kind === 'environ' ? 'the environment of the server' : 'the memory of the server']
        : [];
    }),
  };
}

/** Returns the files that contain secrets: the known files, and the existing files in the secret directories. */
export async function listSecretFiles({ directories, files }: SecretLocations): Promise<readonly string[]> {
  const nestedFiles = await Promise.all(directories.map((directory) => listFiles(directory, 2)));
  return [...new Set([...files, ...nestedFiles.flat()])];
}

/** Returns a secret directory, or an entry directly in one, that a user owns; `undefined` if there is none. */
export async function findOwnedPath(
  uid: number,
  { directories }: Pick<SecretLocations, 'directories'>,
): Promise<string | undefined> {
  for (const directory of directories) {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    for (const path of [directory, ...entries.map(({ name }) => join(directory, name))]) {
      const found = await lstat(path).catch(() => undefined);
      if (found?.uid === uid) return path;
    }
  }
  return undefined;
}

async function listFiles(directory: string, depth: number): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map((entry) =>
      entry.isDirectory()
        ? depth > 1
          ? listFiles(join(directory, entry.name), depth - 1)
          : []
        : [join(directory, entry.name)],
    ),
  );
  return found.flat();
}

interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

function executeProgram({ command, args, env, cwd, user }: ProgramStart): Promise<ProgramResult> {
  return new Promise((resolve) => {
    let [output, errors] = ['', ''];
    const child = spawn(command, [...args], {
      env: { ...env },
      cwd,
      ...user,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    child.stdout.on(
      'data',
      (chunk: Buffer) => (output = `${output}${chunk.toString('utf8')}`.slice(0, MAX_OUTPUT_LENGTH)),
    );
    child.stderr.on(
      'data',
      (chunk: Buffer) => (errors = `${errors}${chunk.toString('utf8')}`.slice(-MAX_OUTPUT_LENGTH)),
    );
    child.once('error', ({ message }) => resolve({ code: null, output: '', errors: message }));
    child.once('close', (code) => resolve({ code, output, errors }));
  });
}

async function readStartTime(): Promise<string | undefined> {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => '');
  return parseStartTime(stat);
}

/** Returns field 22 of proc_pid_stat(5); the name of the program, in parentheses, may contain spaces. */
function parseStartTime(stat: string): string | undefined {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
