import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitUntil } from '@countersign/testing';
import { signalProcessGroup, findProcesses, startInTerminal } from '../start/terminal.spec.support.js';

const execFileAsync = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Example started as in its README, with its own configuration and data directory. */
export interface RunningExample {
  /** Executes the commands of the README in order. @returns the lines that they print, without empty lines */
  runReadmeCommands(): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * @param environment environment variables of the server
 * @param variables environment variables that the commands of the README use; `URL`, the address of the server, is
 *   added
 */
export async function startExample(
  name: string,
  environment: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): Promise<RunningExample> {
  const example = join(root, 'examples', name);
  const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), `countersign-${name}-`));
  const server = startInTerminal(dataDirectory, {
    environment,
    options: ['--config', join(example, 'countersign.config.yaml')],
  });
  await server.url;
  return {
    runReadmeCommands: async () => {
      const env = { ...process.env, ...variables, URL: await server.url };
      const { stdout } = await execFileAsync('bash', ['-euo', 'pipefail', '-c', await readReadmeCommands(example)], {
        cwd: root,
        env,
      });
      return stdout.split('\n').filter((line) => line !== '');
    },
    stop: async () => {
      signalProcessGroup(server.child, 'SIGINT');
      await server.closed;
      await waitUntil('all processes have ended', async () => (await findProcesses(dataDirectory)).length === 0);
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function readReadmeCommands(directory: string): Promise<string> {
  const readme = await readFile(join(directory, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```sh send\n(.*?)^```$/gms)].map(([, block = '']) => block).join('\n');
}

export interface ExampleService {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the service of an example on a free port; the service prints its address. */
export async function startExampleService(example: string, script: string): Promise<ExampleService> {
  const child: ChildProcess = spawn(process.execPath, [join(root, 'examples', example, script), '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const childExit = once(child, 'exit');
  if (child.stdout === null) throw new Error('The example service has no standard output.');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    url: /http:\S+/.exec(line)?.[0] ?? '',
    stop: async () => {
      child.kill();
      await childExit;
    },
  };
}
