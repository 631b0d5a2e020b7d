import { spawn, type StdioOptions } from 'node:child_process';

export interface ProgramOptions {
  readonly uid?: number;
  readonly gid?: number;
  /** Open file descriptors that the program gets as 3, 4, … */
  readonly descriptors?: readonly number[];
}

export interface ProgramResult {
  readonly exitCode: number | undefined;
  readonly output: string;
}

/**
 * PostgreSQL gets no variable that it does not need: the server's environment may hold secrets, and `PG*` variables of
 * the person who starts it would change what initdb and postgres do.
 */
const PASSED_VARIABLES = [
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

export function programEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of PASSED_VARIABLES) {
    if (process.env[name] !== undefined) environment[name] = process.env[name];
  }
  // `su` without a login shell leaves out where useradd is.
  if (process.platform !== 'win32') environment['PATH'] = `${environment['PATH'] ?? '/usr/bin:/bin'}:/usr/sbin:/sbin`;
  return environment;
}

/** The current directory may not be visible to the user PostgreSQL runs as; the root always is. */
export const PROGRAM_DIRECTORY = process.platform === 'win32' ? undefined : '/';

/** Runs a short program to its end and gives its exit code and the last of what it printed. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...(options.descriptors ?? [])];
    const child = spawn(file, [...args], {
      cwd: PROGRAM_DIRECTORY,
      env: programEnvironment(),
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
