import { spawn, type StdioOptions } from 'node:child_process';

export interface ProgramOptions {
  readonly uid?: number;
  readonly gid?: number;
  /** Open file descriptors that the program inherits as 3, 4, … */
  readonly descriptors?: readonly number[];
}

export interface ProgramResult {
  readonly exitCode: number | undefined;
  readonly output: string;
}

/**
 * Environment variables that PostgreSQL inherits. It must not inherit any others: the environment of the server may
 * contain secrets, and the user's `PG*` variables would change the behaviour of initdb and postgres.
 */
const INHERITED_VARIABLES = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SystemRoot',
  'SystemDrive',
  'windir',
  'ComSpec',
  'PATHEXT',
];

export function buildProgramEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of INHERITED_VARIABLES) {
    if (process.env[name] !== undefined) environment[name] = process.env[name];
  }
  // `su` without a login shell sets a PATH without the directory of useradd.
  if (process.platform !== 'win32') environment['PATH'] = `${environment['PATH'] ?? '/usr/bin:/bin'}:/usr/sbin:/sbin`;
  return environment;
}

/**
 * Working directory of the programs. The user that runs PostgreSQL may have no access to the current directory, but can
 * always access the root directory.
 */
export const PROGRAM_WORKING_DIRECTORY = process.platform === 'win32' ? undefined : '/';

/** Runs a short-lived program until it exits, and returns its exit code and the end of its output. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...(options.descriptors ?? [])];
    const child = spawn(file, [...args], {
      cwd: PROGRAM_WORKING_DIRECTORY,
      env: buildProgramEnvironment(),
      stdio,
      uid: options.uid,
      gid: options.gid,
      windowsHide: true,
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-16_384);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', reject);
    child.once('close', (exitCode) => {
      resolve({ exitCode: exitCode ?? undefined, output });
    });
  });
}
